//! The words in the charts, by language. Amounts are US dollars in US notation in all of them.

use plan_model::language::Language;

pub(super) const fn texts(language: Language) -> &'static Texts {
    match language {
        Language::English => &EN,
        Language::Spanish => &ES,
    }
}

/// Words in braces are replaced by values: see [`fill`].
pub(super) struct Texts {
    pub months: &'static str,
    pub own: &'static str,
    pub cash: &'static str,
    pub cash_description: &'static str,
    pub lowest: &'static str,
    pub sales_and_costs: &'static str,
    pub sales_and_costs_description: &'static str,
    pub sales: &'static str,
    pub costs: &'static str,
    pub break_even: &'static str,
    pub break_even_sentence: &'static str,
    pub no_break_even: &'static str,
    pub no_break_even_sentence: &'static str,
    pub payback: &'static str,
    pub payback_description: &'static str,
    pub paid_back: &'static str,
    pub paid_back_sentence: &'static str,
    pub not_paid_back: &'static str,
    pub not_paid_back_sentence: &'static str,
}

const EN: Texts = Texts {
    months: "months after opening, on the plan\u{2019}s own assumptions",
    own: "The result of the plan's own assumptions, not a forecast.",
    cash: "Cash in the bank",
    cash_description: "Line chart of the cash at the end of each of the 60 months. It opens with {opening}, is lowest in \
        month {month} with {lowest} and ends with {last}.",
    lowest: "Lowest: {lowest} in month {month}",
    sales_and_costs: "Sales and costs",
    sales_and_costs_description: "Line chart of the sales and of all costs with the loan payment in each of the 60 months. \
        In month 1 sales are {sales} and costs {costs}, in month 60 {last_sales} and {last_costs}.",
    sales: "Sales",
    costs: "Costs and loan payment",
    break_even: "Break-even: month {month}",
    break_even_sentence: "Break-even is month {month}, the first of three in a row in which sales cover all costs.",
    no_break_even: "No break-even within 60 months",
    no_break_even_sentence: "In none of the 60 months do sales cover them three months in a row.",
    payback: "Payback of your cash",
    payback_description: "Line chart of the cash the business has returned so far, before draws, less the {paid_in} put in. \
        After 60 months it stands at {last}.",
    paid_back: "Paid back: month {month}",
    paid_back_sentence: "In month {month} the cash put in is paid back.",
    not_paid_back: "Not paid back within 60 months",
    not_paid_back_sentence: "The cash put in is not paid back within 60 months.",
};

const ES: Texts = Texts {
    months: "meses desde la apertura, con los supuestos propios del plan",
    own: "Es el resultado de los supuestos propios del plan, no un pronóstico.",
    cash: "Efectivo en el banco",
    cash_description: "Gráfico de líneas del efectivo al final de cada uno de los 60 meses. Empieza con {opening}, su mínimo \
        es {lowest} en el mes {month} y termina con {last}.",
    lowest: "Mínimo: {lowest} en el mes {month}",
    sales_and_costs: "Ventas y costos",
    sales_and_costs_description: "Gráfico de líneas de las ventas y de todos los costos con la cuota del préstamo en cada uno \
        de los 60 meses. En el mes 1 las ventas son {sales} y los costos {costs}; en el mes 60, {last_sales} y {last_costs}.",
    sales: "Ventas",
    costs: "Costos y cuota del préstamo",
    break_even: "Punto de equilibrio: mes {month}",
    break_even_sentence: "El punto de equilibrio es el mes {month}, el primero de tres seguidos en que las ventas cubren todos los costos.",
    no_break_even: "Sin punto de equilibrio en 60 meses",
    no_break_even_sentence: "En ninguno de los 60 meses las ventas los cubren tres meses seguidos.",
    payback: "Recuperación de su efectivo",
    payback_description: "Gráfico de líneas del efectivo que el negocio ha devuelto hasta cada mes, antes de retiros, menos los \
        {paid_in} aportados. Después de 60 meses queda en {last}.",
    paid_back: "Recuperado: mes {month}",
    paid_back_sentence: "En el mes {month} se ha recuperado el efectivo aportado.",
    not_paid_back: "No se recupera en 60 meses",
    not_paid_back_sentence: "El efectivo aportado no se recupera en 60 meses.",
};

/// `text` with each `{name}` replaced by its value.
pub(super) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}
