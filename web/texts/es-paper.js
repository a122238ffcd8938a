/**
 * Las palabras de la página en español para lo que recibe un banco: el paquete, su historia y la segunda mirada. El paquete
 * habla con el banco: en él nadie es «usted».
 */
export const ES_PAPER = {
  // Antes de imprimir
  "print.title": "Plan financiero", "print.button": "Imprimir o guardar como PDF", "print.hint": "Esto es lo que se imprimirá. Para guardar un PDF, elija «Guardar como PDF» como impresora.",
  "print.scenario": "Imprimir", "print.paper": "Papel", "print.paper.letter": "Carta", "print.paper.a4": "A4", "print.words": "Con las palabras detrás de los números", "print.conversation": "Con la conversación",
  "print.story": "Escribir la historia",

  // Portada y resultados clave
  "print.kind": "Plan financiero", "print.scenario.kind": "Escenario: {name}", "print.owner": "Preparado por", "print.brand": "Franquicia", "print.opening": "Apertura", "print.date": "Impreso",
  "print.version": "Versión del plan", "print.version.value": "{version}, último cambio el {time}",
  "print.request": "Solicitud", "print.request.amount": "Préstamo", "print.request.term": "Plazo", "print.request.rate": "Tasa de interés anual", "print.request.interestOnly": "Solo intereses durante", "print.request.payment": "Cuota mensual",
  "print.request.purpose": "Destino", "print.request.purpose.text": "Costos de apertura de {total} para una franquicia de {brand}; ver origen y uso de los fondos.", "print.request.none": "No se solicita ningún préstamo.",
  "print.standing": "Preparado por el dueño sobre sus propios supuestos. No es una declaración de {brand}, y los resultados reales serán distintos.",
  "print.running": "{name} · versión {version} · {date}", "print.page": "Página {page} de {pages}",
  "print.results": "Resultados clave", "print.result": "Resultado", "print.meaning": "Qué es", "print.noFigures": "Este plan todavía no tiene cifras.",
  "print.cashBelow": { one: "El efectivo está bajo cero al final de {count} mes, lo que esto no cuenta.", other: "El efectivo está bajo cero al final de {count} meses, lo que esto no cuenta." },
  "paper.breakEvenMonth": "Mes de punto de equilibrio", "paper.breakEvenMonth.help": "El primero de tres meses seguidos en que las ventas pagan todos los costos y la cuota.",
  "paper.breakEvenSalesMonthly": "Ventas de equilibrio al mes", "paper.breakEvenSalesMonthly.help": "Las ventas de un mes establecido que pagan todos sus costos y la cuota.",
  "paper.breakEvenSalesPct": "Parte de las ventas planeadas para el equilibrio", "paper.breakEvenSalesPct.help": "Las ventas de equilibrio como parte de las planeadas para un mes establecido.",
  "paper.stableFromMonth": "Todos los costos cubiertos desde", "paper.stableFromMonth.help": "Desde este mes las ventas pagan todos los costos y la cuota en cada mes.",
  "paper.paybackMonth": "Efectivo del dueño recuperado", "paper.paybackMonth.help": "El mes en que el negocio ha ganado, después de las cuotas, el efectivo que puso el dueño.",
  "paper.dscrYear1": "Cobertura del préstamo (DSCR), año 1, antes del dueño", "paper.dscrYear1.help": "Ganancia operativa por cada dólar de cuotas, antes de los retiros del dueño y del impuesto.",
  "paper.dscrAfterOwnerYear1": "Cobertura del préstamo (DSCR), año 1, después del dueño", "paper.dscrAfterOwnerYear1.help": "Ganancia operativa menos los retiros del dueño y el impuesto pagado, por cada dólar de cuotas.",
  "paper.minDscr": "Cobertura del préstamo (DSCR), año más débil, antes del dueño", "paper.minDscr.help": "La menor cobertura de los años con cuotas.",
  "paper.lowestCash": "Efectivo mínimo", "paper.lowestCash.help": "La menor cantidad de efectivo al final de cualquiera de los 60 meses.",
  "paper.lowestCashMonth": "Mes del efectivo mínimo", "paper.lowestCashMonth.help": "El primer mes que termina con el efectivo mínimo.",
  "paper.monthsNegative": "Meses con efectivo bajo cero", "paper.monthsNegative.help": "Cuántos de los 60 meses terminan con menos que nada de efectivo.",
  "paper.projectedAnnualRevenueYear1": "Ventas, año 1", "paper.projectedAnnualRevenueYear1.help": "Ventas proyectadas de los primeros 12 meses.",
  "paper.fiveYearOwnerCashFlow": "Efectivo para el dueño en 5 años", "paper.fiveYearOwnerCashFlow.help": "El efectivo que queda después de costos, impuestos y cuotas, antes de los retiros del dueño.",
  "paper.totalInvestment": "Total de costos de apertura", "paper.totalInvestment.help": "Todo lo que cuesta abrir.",
  "paper.ownerCash": "Inversión en efectivo del dueño", "paper.ownerCash.help": "Lo que pone el dueño.",
  "paper.equityPct": "Parte del dueño", "paper.equityPct.help": "La inversión en efectivo del dueño como parte del total de costos de apertura.",
  "paper.openingCash": "Efectivo el día de apertura", "paper.openingCash.help": "El efectivo una vez pagados los costos de apertura, salvo los fondos adicionales.",
  "paper.reserveGap": "Falta para la reserva el día de apertura", "paper.reserveGap.help": "Lo que le falta a ese efectivo para los meses de costos que el dueño quiere tener en reserva.",

  // Historia
  "story.title": "Historia para el banco", "story.title.print": "El negocio y su dueño", "story.help": "Un banco quiere saber quién es usted y para qué es el dinero. Escriba lo que corresponda y deje lo demás vacío: lo vacío no se imprime. Si un modelo contesta el chat, puede pedirle un borrador a partir de lo que usted dijo.",
  "story.team": "Quiénes somos y nuestra experiencia", "story.business": "El negocio y su lugar", "story.market": "El mercado y la competencia", "story.customers": "Cómo llegan los clientes",
  "story.loan": "Para qué es el préstamo y qué lo garantiza", "story.risks": "Riesgos y qué hacemos con ellos",
  "story.count": "{number} de {limit} caracteres", "story.long": { one: "Sobra {count} carácter.", other: "Sobran {count} caracteres." }, "story.save": "Guardar la historia", "story.saved": "Su historia está guardada.", "story.unsaved": "Todavía sin guardar",
  "story.conflict": "Alguien guardó esta historia desde que usted la abrió. No se perdió nada: donde los textos difieren, están los dos. Tome el otro o deje el suyo, y guarde.",
  "story.theirs": "Guardado mientras tanto:", "story.removed": "Este texto se quitó mientras tanto.", "story.take": "Usar el texto guardado", "story.print": "Verla en el plan",

  // Origen, usos, costos de apertura
  "print.sources": "Origen y uso de los fondos", "print.sources.title": "Origen", "print.uses": "Usos", "print.share": "Parte", "print.dollars": "Dólares de EE. UU.",
  "row.loan": "Préstamo", "row.ownersCash": "Efectivo del dueño", "row.extraCash": "Efectivo adicional del dueño", "row.reserve": "Reserva de efectivo más allá de los costos de apertura", "row.otherStartup": "Otros costos de apertura", "row.total": "Total",
  "print.item7": "Costos de apertura junto al documento de divulgación (Item 7)", "print.item7.low": "Mínimo publicado", "print.item7.high": "Máximo publicado", "print.item7.plan": "Este plan", "print.item7.mark": "Posición",
  "print.item7.none": "El documento de divulgación no da un rango para estos costos.",
  "print.position.within": "dentro", "print.position.below": "por debajo", "print.position.above": "por encima",
  "row.inItem7": "Con rango publicado", "row.totalItem7": "Total con rango", "row.notInItem7": "Sin rango publicado", "row.totalNotItem7": "Total sin rango", "row.totalInvestment": "Total de costos de apertura",

  // Estados
  "print.profit": "Cinco años: resultados", "print.cash": "Cinco años: flujo de efectivo", "print.balance": "Cinco años: balance", "print.year1": "Año 1 por mes", "print.quarters": "Años 2 a 5 por trimestre", "print.year1.half": "Año 1, meses {from} a {to}", "print.quarters.pair": "Años {from} y {to}",
  "print.opening.column": "Apertura", "print.year": "Año {year}", "print.month": "Mes {month}", "print.quarter": "Año {year}, T{quarter}",
  "row.materials": "Costo de lo vendido", "row.royalty": "Regalía", "row.adFund": "Fondo de publicidad", "row.grossProfit": "Ganancia bruta", "row.directLabor": "Mano de obra directa", "row.contribution": "Contribución",
  "row.rent": "Renta", "row.utilities": "Servicios públicos", "row.insurance": "Seguros", "row.telecomIt": "Teléfono, internet, programas", "row.vehicles": "Vehículos", "row.maintenance": "Reparaciones y mantenimiento",
  "row.marketing": "Publicidad local", "row.merchantFees": "Comisiones de tarjetas", "row.managementSalaries": "Salarios de gerencia", "row.ownerSalary": "Salario del dueño en nómina", "row.payrollTax": "Impuestos de nómina y prestaciones",
  "row.technologyFee": "Cuota de tecnología", "row.supplies": "Suministros del local y oficina", "row.professionalFees": "Contabilidad y abogados", "row.otherFixed": "Otros costos fijos", "row.otherOpex": "Otros costos de operación",
  "row.startupExpense": "Gasto de apertura", "row.depreciation": "Depreciación", "row.amortization": "Amortización", "row.interest": "Intereses", "row.preTaxIncome": "Ganancia antes de impuestos", "row.tax": "Impuesto sobre la renta", "row.netIncome": "Ganancia neta",
  "row.workingCapitalChange": "Cambio del capital de trabajo", "row.taxesPaid": "Impuesto pagado", "row.operatingCashFlow": "Flujo de efectivo operativo", "row.principal": "Capital del préstamo", "row.ownerDraw": "Retiro del dueño",
  "row.loanReceived": "Préstamo recibido", "row.paidIn": "Efectivo puesto por el dueño", "row.startupPaid": "Costos de apertura pagados", "row.netCashFlow": "Flujo neto de efectivo", "row.beginningCash": "Efectivo inicial",
  "row.assets": "Activos", "row.cash": "Efectivo", "row.receivables": "Cuentas por cobrar", "row.inventory": "Inventario", "row.prepaid": "Costos de apertura pagados por anticipado", "row.deposits": "Depósitos", "row.fixedAssets": "Activos fijos, netos", "row.intangibles": "Activos intangibles, netos", "row.totalAssets": "Total de activos",
  "row.liabilities": "Pasivos", "row.payables": "Cuentas por pagar", "row.taxPayable": "Impuesto por pagar", "row.totalLiabilities": "Total de pasivos",
  "row.equity": "Capital del dueño", "row.earnings": "Ganancias desde la apertura", "row.draws": "Retiros del dueño desde la apertura", "row.ownersEquity": "Total del capital del dueño", "row.liabilitiesAndEquity": "Total de pasivos y capital",
  "print.loan": "Préstamo y cobertura por año", "print.loan.none": "El plan no tiene préstamo.",
  "row.loanOwed": "Deuda", "row.loanBefore": "Saldo inicial", "row.loanBalance": "Saldo final", "row.loanPaid": "Pagos", "row.loanPayments": "Cuotas del préstamo", "row.loanCover": "Ganado para pagarlas",
  "row.earnedAfterOwner": "Queda después del dueño y del impuesto", "row.dscr": "Cobertura (DSCR) antes del dueño", "row.dscrAfterOwner": "Cobertura (DSCR) después del dueño",

  // Qué pasa si
  "print.whatIf": "Qué pasa si", "print.case": "Caso", "print.case.plan": "Según el plan",
  "print.whatIf.how": "Cada caso cambia una cosa y deja los demás supuestos como están. Con la primera venta más tarde, los costos del local, las cuotas fijas, el salario del dueño y los intereses del mes 1 se pagan esas veces más, con el efectivo que era para la apertura.",
  "print.whatIf.levers": "Las últimas filas son los tres valores que más mueven los resultados, de los que decide el dueño, cada uno un paso mejor.",

  // Supuestos y notas
  "print.assumptions": "Supuestos, y de dónde viene cada número", "print.field": "Supuesto", "print.value": "Valor", "print.from": "Origen y fecha",
  "print.source.brand": "Valor de la marca", "print.source.brand.from": "Valor de la marca: {provenance}", "print.source.you": "{name}, {date}", "print.source.advisor": "{name}, en la conversación, {date}", "print.source.support": "{name} (soporte), {date}",
  "print.source.derived": "Se desprende de «{field}»", "print.scenario.source": "Escenario {name}; plan: {value}",
  "print.differs": { one: "{count} valor difiere del plan: {labels}", other: "{count} valores difieren del plan: {labels}" }, "print.differs.none": "Ningún valor difiere del plan.",
  "print.notes": "Notas",
  "print.note.cents": "Las cantidades son dólares de EE. UU. al centavo, tal como se calculan. Ninguna se redondea para imprimir, así que cada columna suma su total impreso. Los costos y pagos llevan signo menos. Las líneas sin ninguna cantidad se omiten.",
  "print.note.rounded": "Los porcentajes y las coberturas están redondeados; las partes del origen y uso de los fondos, de modo que suman 100%.",
  "print.note.method": "Los meses se cuentan desde la apertura. Las ventas crecen de manera pareja hasta su nivel establecido y después según las tasas anuales de los supuestos. Los costos de apertura que no son activos ni depósitos se gastan en los primeros 12 meses. El impuesto es el del negocio y se paga con el plazo de los supuestos.",
  "print.note.coverage": "La cobertura antes del dueño es la ganancia operativa dividida entre intereses y capital del año. Después del dueño es lo que los retiros del dueño y el impuesto pagado dejan de la ganancia operativa, dividido entre lo mismo.",
  "print.sign": "Firma", "print.sign.date": "Fecha",

  // Segunda mirada

  // Documentos
  "documents.title": "Documentos", "documents.help": "PDF del plan como era cuando se hicieron. Nunca cambian y solo se van con el plan.", "documents.make": "Hacer un PDF",
  "documents.make.button": "Hacerlo", "documents.make.help": "Tarda unos segundos y se guarda aquí.", "documents.made": "El PDF está en la lista.", "documents.made.without": "El PDF está en la lista. Muestra cuadros donde a sus fuentes les faltan letras: {letters}", "documents.kind": "Qué muestra", "documents.kind.package": "Paquete para un prestamista", "documents.kind.summary": "Resumen",
  "documents.paper": "Papel", "documents.paper.letter": "Carta", "documents.paper.a4": "A4", "documents.lang": "Idioma", "documents.lang.en": "English", "documents.lang.es": "Español", "documents.scenarios": "Escenarios que se muestran junto al plan",
  "documents.version": "versión {version} del plan", "documents.download": "Descargar", "documents.share": "Compartir", "documents.share.title": "Enlace para un banquero o contador", "documents.share.button": "Hacer el enlace", "documents.share.days": "Funciona durante",
  "documents.share.help": "Quien tenga el enlace puede leer este documento sin una cuenta. Usted puede retirarlo en cualquier momento.", "documents.days": { one: "{count} día", other: "{count} días" },
  "documents.link": "Enlace al documento", "documents.link.title": "Su enlace", "documents.link.once": "Funciona hasta el {time}; cópielo ahora: se muestra solo esta vez.", "documents.link.until": "Enlace hasta el {time}", "documents.link.since": "El enlace terminó el {time}",
  "documents.link.opened": { one: "abierto {count} vez", other: "abierto {count} veces" }, "documents.revoke": "Retirar", "documents.revoke.title": "¿Retirar este enlace?", "documents.revoke.question": "Desde entonces el enlace del {time} no abre nada.",
};
