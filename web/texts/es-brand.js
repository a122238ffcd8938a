/** The page's words in Spanish: a brand's desk, who has joined it, and corrections that owners of plans are told of. */
export const ES_BRAND = {
  // Números
  "brand.help": "Los planes nuevos de esta marca empiezan con estos valores. Los planes que existen conservan aquellos con que se hicieron, y a sus dueños se les avisa de las correcciones. Lo que los franquiciados escriben y dicen queda con ellos.",
  "brand.none": "Sin marca", "brand.none.help": "Su cuenta todavía no está unida a una marca.", "brand.startup": "Costos de apertura (Item 7)", "brand.default": "Valor", "brand.low": "Mínimo publicado", "brand.high": "Máximo publicado",
  "brand.undisclosed": "no publicado", "brand.label": "Nombre", "brand.helpText": "Ayuda, una frase", "brand.aliases": "También se dice (separe con comas)", "brand.provenance": "De dónde viene",
  "brand.save": "Publicar para planes nuevos", "brand.saved": "Publicado. Los planes nuevos empiezan con esto; los que existen conservan su edición.", "brand.preview": "Lo que verá un franquiciado", "brand.preview.help": "Abra un número para verlo aquí.", "brand.noHelp": "Todavía sin texto de ayuda.",
  "desk.publish": "Revisar y publicar", "desk.discard": "Descartar", "desk.unchanged": "Nada que publicar", "desk.changes": { one: "{count} cambio", other: "{count} cambios" }, "desk.changed": "Cambiado", "desk.nothing": "nada",
  "desk.filter.changed": "Cambiados", "desk.filter.none": "No se ha cambiado nada.",
  "desk.restored": { one: "{count} cambio de una visita anterior aún no está publicado. Se guardó en este navegador.", other: "{count} cambios de una visita anterior aún no están publicados. Se guardaron en este navegador." },
  "desk.discarded": { one: "{count} cambio descartado.", other: "{count} cambios descartados." },

  // Costos de apertura
  "desk.row.add": "Agregar un costo", "desk.row.add.title": "Agregar un costo de apertura", "desk.row.add.button": "Agregar", "desk.row.add.help": "Empieza en $0 y forma parte de los planes nuevos cuando usted publique.", "desk.row.same": "Otro costo también se llama así.",
  "desk.row.remove": "Quitar este costo", "desk.row.removeOf": "Quitar este costo: {label}", "desk.row.removed": "quitado de los planes nuevos", "desk.row.removed.done": "{label} se quitó del borrador. Los planes que lo tienen lo conservan.",
  "desk.row.back": "Volver a poner", "desk.row.backOf": "Volver a poner: {label}",
  "desk.class.capex": "Equipo u obra (dura años)", "desk.class.non_capex": "Un gasto (se va al pagarlo)", "desk.class.intangible": "Cuota de franquicia", "desk.class.inventory": "Inventario el día de apertura", "desk.class.deposit": "Depósito (se devuelve)", "desk.class.prepaid": "Meses de un costo corriente, pagados por adelantado", "desk.class.working_capital": "Efectivo en reserva",

  // Antes de publicar
  "desk.publish.title": { one: "¿Publicar {count} cambio?", other: "¿Publicar {count} cambios?" }, "desk.before": "Antes:", "desk.after": "Ahora:",
  "desk.standing": { one: "{count} plan tiene este valor de la marca.", other: "{count} planes tienen este valor de la marca." },
  "desk.touches": { one: "{count} plan de esta marca tiene un valor que cambia.", other: "{count} planes de esta marca tienen un valor que cambia." }, "desk.touches.none": "No cambia ningún valor.",
  "desk.touches.help": "Los planes que existen conservan sus números. A sus dueños se les avisa del valor corregido y ellos deciden.",
  "desk.part.brand": "La marca", "desk.part.value": "Valor", "desk.part.defaultAmount": "Valor", "desk.part.item7Low": "Mínimo publicado", "desk.part.item7High": "Máximo publicado", "desk.part.label": "Nombre", "desk.part.help": "Ayuda", "desk.part.aliases": "También se dice",
  "desk.part.provenance": "De dónde viene", "desk.part.description": "Nota para el asesor", "desk.part.class": "Qué clase de costo es", "desk.part.derives": "Lo que su rango dice de los costos mensuales", "desk.part.added": "Costo agregado", "desk.part.removed": "Costo quitado",
  "desk.part.name": "Nombre", "desk.part.item19": "Item 19", "desk.part.thresholds": "Límites de los avisos sobre resultados",
  "desk.moved": { one: "{name} publicó la edición {version} mientras tanto. Su cambio ({count}) está ahora sobre ella. Mírelo otra vez y publique.", other: "{name} publicó la edición {version} mientras tanto. Sus {count} cambios están ahora sobre ella. Mírelos otra vez y publique." },
  "desk.moved.lost": "Ya no está: {label}. Lo que usted puso en {part}: {after}",
  "desk.leave.title": { one: "¿Descartar {count} cambio?", other: "¿Descartar {count} cambios?" }, "desk.leave.question": "Todavía no está publicado. Puede guardarlo como borrador en este navegador.", "desk.leave.signOut": "Todavía no está publicado, y al cerrar la sesión se borran los borradores de este navegador.",
  "desk.leave.discard": "Descartar", "desk.leave.keep": "Guardar como borrador", "desk.leave.stay": "Quedarme aquí",

  // Qué no está bien
  "desk.problem.order": "El máximo no puede ser menor que el mínimo.", "desk.problem.both": "Escriba los dos extremos del rango publicado, o ninguno.", "desk.problem.label": "Escriba un nombre.",
  "desk.problem.length": "Escriba de {low} a {high} caracteres.", "desk.problem.invisible": "Este texto tiene caracteres que no se ven. Escríbalo de nuevo.", "desk.problem.line": "Este texto debe ir en una sola línea.",
  "desk.problem.kind": "Esta clase de costo no concuerda con lo que la fila dice de los costos mensuales. Elija otra.", "desk.problem.names": "Escriba {high} nombres como máximo.", "desk.problem.rows": "Una marca tiene {high} costos de apertura como máximo. Quite uno para agregar otro.", "desk.problem.amount": "Escriba una cantidad de $0 a $100,000,000.", "desk.problem.cents": "Escriba una cantidad con dos decimales como máximo.", "desk.problem.other": "El servidor no acepta esto: {message}",

  // Ediciones y ejemplo
  "desk.editions": "Ediciones", "desk.editions.help": "Cada vez que alguien publica se hace una edición nueva. Un plan conserva aquella con la que se hizo.", "desk.edition": "Edición {version}", "desk.edition.nobody": "la instalación",
  "desk.edition.first": "La primera edición.", "desk.edition.same": "No se cambió nada.", "desk.edition.reading": "Leyendo…",
  "desk.sample": "El plan de un franquiciado nuevo", "desk.sample.open": "Ver un plan de ejemplo", "desk.sample.help": "Así empieza un plan nuevo de esta marca. Se calcula con los valores y no se guarda en ninguna parte.", "desk.sample.draft": "Así empezaría un plan nuevo con sus cambios sin publicar. No se guarda en ninguna parte.", "desk.sample.derived": "se deduce",

  // Personas
  "desk.members": "Quién se ha unido", "desk.members.help": "Lo que escriben y dicen queda con ellos: usted no ve sus planes.", "desk.members.none": "Todavía no se ha unido nadie más. Quien abra una invitación y cree una cuenta aparecerá aquí.",
  "desk.member.since": "desde el {date}", "desk.member.disabled": "No puede iniciar sesión",

  // Para los dueños de planes
  "desk.corrections": { one: "La marca ha corregido un número", other: "La marca ha corregido {count} números" }, "desk.corrections.help": "Su plan tiene todavía el valor anterior. Nada cambia si usted no lo dice.", "desk.corrections.owner": "El plan tiene todavía el valor anterior. Decide su dueño.",
  "desk.correction.take": "Usar {after}", "desk.correction.takeOf": "{label}: usar {after}", "desk.correction.leave": "Dejar {before}", "desk.correction.leaveOf": "{label}: dejar {before}", "desk.correction.leaveAll": "Dejarlos todos", "desk.correction.taken": "{label} es ahora {value}.",
  "desk.correction.meanwhile": "El plan ha cambiado mientras tanto. Mírelo otra vez y decida.",
};
