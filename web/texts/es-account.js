/** The page's words in Spanish about accounts, invitations and people; see `es.js`. */
export const ES_ACCOUNT = {
  // After recovery
  "identities.remain": "Su cuenta todavía se abre con el inicio de sesión único: {names}. Si alguno no es suyo, quítelo en su cuenta.",
  "reset.notice": "El {time} se usó un enlace creado por {name} para elegir una contraseña nueva para su cuenta. Si no fue usted, cambie la contraseña y cierre sesión en todas partes.", "reset.notice.operator": "El {time} se usó un enlace del operador para elegir una contraseña nueva para su cuenta. Si no fue usted, cambie la contraseña y cierre sesión en todas partes.", "reset.notice.seen": "Lo he leído",

  // Contraseñas, y lo que se muestra una sola vez
  "password.show": "Mostrar", "password.rule": "Al menos {min} caracteres. Varias palabras sin relación son fáciles de recordar y difíciles de adivinar.",
  "password.none": "Elija una contraseña.", "password.short": { one: "Use al menos {min} caracteres. Esta tiene {count}.", other: "Use al menos {min} caracteres. Esta tiene {count}." }, "password.long": "Use {max} caracteres como máximo.",
  "password.refused": "Es fácil de adivinar. Use varias palabras sin relación entre sí y deje fuera su nombre.",
  "secret.copy": "Copiar", "secret.copied": "Copiado.", "secret.copyKeys": "Este navegador no permitió copiar. El texto está seleccionado: presione Ctrl+C.", "secret.copyApple": "Este navegador no permitió copiar. El texto está seleccionado: presione ⌘C.",
  "secret.done": "Listo",

  // Inicio de sesión único, y por qué no funcionó
  "single.signIn": "Iniciar sesión con {label}", "single.or": "o",
  "problem.sso_unavailable": "El servicio de inicio de sesión no responde ahora. Inténtelo en unos minutos o use su contraseña, si tiene una.",
  "problem.sso_refused": "El inicio de sesión se canceló. Empiece de nuevo cuando quiera.",
  "problem.sso_failed": "No se pudo comprobar el inicio de sesión. Inténtelo de nuevo. Si vuelve a pasar, avise a su administrador.",
  "problem.sso_expired": "Pasaron más de diez minutos y el inicio de sesión se detuvo. Inténtelo de nuevo.",
  "problem.sso_no_cookie": "Su navegador no conservó nada de este inicio de sesión, o ya había terminado. Empiece de nuevo. Si se repite, permita las cookies de esta página y ábrala con https.",
  "problem.sso_too_many": "Hubo demasiados intentos fallidos desde su red. Inténtelo de nuevo en 15 minutos.",
  "problem.sso_not_invited": "Todavía no hay una cuenta para usted aquí. Pida una invitación a quien trabaja con usted en su plan o a su administrador.",
  "problem.sso_email_unverified": "Su servicio de inicio de sesión no ha confirmado su correo. Confírmelo allí y vuelva a intentarlo.",
  "problem.sso_link_taken": "Ese inicio de sesión ya pertenece a otra cuenta de aquí. Ciérrelo en el servicio y elija el suyo.",
  "problem.other": "El inicio de sesión no funcionó. Inténtelo de nuevo o pregunte a su administrador.",
  "signedIn.title": "Ya inició sesión", "signedIn.help": "Cierre esta pestaña y siga en la anterior. Todo lo que escribió sigue allí.", "signedIn.go": "O siga aquí",

  // Una invitación
  "title.invitation": "Invitación · Plan Advisor", "invitation.title": "Tiene una invitación.", "invitation.what": "Plan Advisor convierte una conversación sobre renta, ventas, personal y préstamos en un plan financiero.",
  "invitation.form": "Cree su cuenta", "invitation.email": "Correo electrónico", "invitation.role": "Usted será", "invitation.brand": "Marca", "invitation.expires": "La invitación vence",
  "invitation.name": "Su nombre", "invitation.name.hint": "Como otros deben leerlo.", "invitation.noName": "Escriba su nombre.", "invitation.longName": "Use {max} caracteres como máximo.",
  "invitation.password": "Elija una contraseña", "invitation.accept": "Crear cuenta", "invitation.single": "Continuar con {label}", "invitation.orPassword": "o elija una contraseña", "invitation.singleOnly": "Iniciará sesión con {label}. No necesita contraseña.",
  "invitation.here": "En este navegador está abierta la sesión de {name}. Al crear la cuenta se abrirá la de {email}.",
  "invitation.gone": "Esta invitación ya no se puede usar", "invitation.gone.help": "Ya se usó o venció. Si tiene una cuenta, inicie sesión. Si no, pida otra a quien se la envió.",
  "invitation.signIn": "Ir al inicio de sesión", "link.none": "Abra el enlace de nuevo", "link.none.help": "Por su seguridad, esta página guarda el enlace solo un momento. Ábralo otra vez desde el mensaje que recibió.",

  // Una contraseña nueva con un enlace
  "title.reset": "Contraseña nueva · Plan Advisor", "reset.title": "Elija una contraseña nueva.", "reset.what": "Después inicie sesión con ella. Su sesión se cerrará en todos los demás lugares.", "reset.password": "Contraseña nueva", "reset.save": "Guardar la contraseña",
  "reset.done": "Su contraseña nueva está guardada. Inicie sesión con ella.", "reset.gone": "Este enlace ya no se puede usar", "reset.gone.help": "Sirve una vez, durante una hora. Pida otro a su administrador.",

  // La propia cuenta
  "title.account": "Cuenta · Plan Advisor", "account.title": "Cuenta", "account.name": "Nombre", "account.email": "Correo electrónico", "account.role": "Rol", "account.since": "Cuenta desde",
  "account.acting": "Mientras ve como {name}, su propia cuenta está cerrada. Termine primero.", "account.stop": "Terminar",
  "account.password": "Contraseña", "account.password.help": "Una contraseña nueva cierra su sesión en todos los demás lugares y termina los tokens de acceso.", "account.password.none": "Usted inicia sesión sin contraseña. También puede poner una.",
  "account.password.change": "Cambiar la contraseña", "account.password.set": "Poner una contraseña", "account.password.current": "Contraseña actual", "account.password.next": "Contraseña nueva", "account.password.saved": "Su contraseña nueva está guardada.",
  "account.password.wrong": "Esa no es su contraseña actual.", "account.password.signInFirst": "Para esto inicie sesión otra vez: cierre la sesión, ábrala y vuelva antes de diez minutos.",
  "account.single": "Inicio de sesión único", "account.single.connect": "Conectar {label}", "account.single.another": "Conectar otra cuenta de {label}", "account.single.help": "Conéctelo y podrá iniciar sesión sin su contraseña.", "account.single.here": "Puede iniciar sesión con estas cuentas. Si no conoce alguna, desconéctela.",
  "account.single.connect.help": "Ahora inicia sesión en {label}. Desde entonces esa cuenta abre esta.", "account.single.go": "Seguir a {label}", "account.single.by.email": "conectada el {date} por su correo confirmado", "account.single.by.hand": "conectada el {date} en esta página",
  "account.single.unlink": "Desconectar", "account.single.unlinkOf": "Desconectar: {name}", "account.single.unlink.title": "¿Desconectar {name}?", "account.single.unlink.help": "Ya no abrirá su cuenta aquí, y se cerrará la sesión de quien entró con ella, salvo en este navegador.", "account.single.unlink.done": "{name} está desconectada.",
  "account.single.unlink.last": "Ya no podría iniciar sesión. Ponga antes una contraseña o conecte otra cuenta.",
  "notice.title": "Esta cuenta ya es solo suya", "notice.sso_first_proof": "Su servicio de inicio de sesión ha confirmado su correo por primera vez. Se han quitado la contraseña, las sesiones, los tokens de acceso y los enlaces que tenía esta cuenta, porque otra persona pudo haberlos creado. Puede poner una contraseña nueva en la página de la cuenta.",

  "sessions.title": "Dónde tiene la sesión abierta", "sessions.help": "Si no conoce alguno de estos, cierre esa sesión y cambie su contraseña.", "sessions.on": "{browser} en {system}", "sessions.unknown": "Navegador desconocido",
  "sessions.current": "Este navegador", "sessions.end": "Cerrar sesión", "sessions.endOf": "Cerrar sesión: {name}", "sessions.ended": "Se cerró la sesión de {name}.", "sessions.times": "Desde el {started}, {how}. Último uso: {used}.",
  "sessions.password": "con contraseña", "sessions.oidc": "con inicio de sesión único", "sessions.invitation": "con una invitación", "sessions.everywhere": "Cerrar sesión en todas partes",
  "sessions.everywhere.done": "Su sesión está cerrada en todas partes. Los demás navegadores, los tokens de acceso y los enlaces que abrió ya no sirven. Si alguien conoce su contraseña, inicie sesión y cámbiela.", "sessions.everywhere.gone": "Su sesión ya estaba cerrada aquí, así que las demás siguen abiertas. Inicie sesión y elija otra vez «Cerrar sesión en todas partes».",

  "tokens.password": "Su contraseña, si inició sesión hace más de diez minutos", "tokens.signInFirst": "Hace un rato que inició sesión. Escriba su contraseña o vuelva a iniciar sesión.",
  "tokens.title": "Tokens de acceso", "tokens.help": "Con un token, un programa suyo trabaja con sus planes sin su contraseña.", "tokens.none": "Todavía no hay tokens.", "tokens.create": "Crear un token…", "tokens.create.button": "Crear token",
  "tokens.name": "Nombre", "tokens.name.hint": "Para qué es, por ejemplo «Hoja de cálculo».", "tokens.noName": "Póngale un nombre.", "tokens.longName": "Use {max} caracteres como máximo.", "tokens.scopes": "Qué puede hacer",
  "tokens.scope.read": "Leer", "tokens.scope.read.help": "Ver planes, resultados y conversaciones. Todos los tokens pueden.", "tokens.scope.chat": "Hablar", "tokens.scope.chat.help": "Escribir al asesor y responder sus preguntas, en su nombre.",
  "tokens.scope.write": "Cambiar", "tokens.scope.write.help": "Crear planes, cambiar sus números y eliminarlos.",
  "tokens.plan": "Para qué plan", "tokens.plan.all": "Todos sus planes", "tokens.plan.gone": "un plan", "tokens.expires": "Vence después de", "tokens.days": { one: "{count} día, el {date}", other: "{count} días, el {date}" },
  "tokens.secret": "Su token nuevo", "tokens.secret.help": "Cópielo ahora y guárdelo como una contraseña: quien lo tenga puede hacer esto en su nombre. No se muestra otra vez.", "tokens.secret.label": "Token",
  "tokens.until": "vence el {date}", "tokens.since": "venció el {date}", "tokens.ended": "Vencido", "tokens.used": "último uso el {date}", "tokens.unused": "sin uso todavía", "tokens.delete": "Eliminar", "tokens.deleteOf": "Eliminar: {name}",
  "tokens.delete.title": "¿Eliminar este token?", "tokens.delete.question": "Los programas que usan «{name}» pierden el acceso de inmediato.", "tokens.deleted": "{name} se eliminó.", "tokens.full": "Tiene tantos tokens como puede tener una persona. Elimine uno primero.",
  "assistant.title": "Conecte su asistente", "assistant.help": "Su propio asistente, como Claude, puede leer sus planes, probar otros números y proponer valores. Su plan no cambia hasta que usted use una propuesta. Cree para él un token con “Leer” y “Hablar”, con el nombre del asistente, y póngalo donde los ajustes dicen pat_….",
  "assistant.address": "Dirección", "assistant.settings": "Ajustes para {name}",

  "data.title": "Sus datos", "data.help": "Todo lo que este servidor guarda sobre usted, en un archivo que los programas pueden leer: planes, conversaciones, números e inicios de sesión.", "data.download": "Descargar mis datos",
  "data.delete": "Eliminar mi cuenta…", "data.delete.title": "¿Eliminar su cuenta?", "data.delete.button": "Eliminar mi cuenta", "data.delete.goes": "Se elimina para siempre: su cuenta, sus planes con sus conversaciones y cambios, sus tokens y sus inicios de sesión.",
  "data.delete.stays": "Qué queda: lo que usted escribió o cambió en planes de otras personas, con su nombre.", "data.delete.first": "Descargue antes sus datos si puede quererlos después.", "data.delete.password": "Su contraseña, para estar seguros de que es usted", "data.delete.wrong": "Esa no es su contraseña.",
  "data.delete.email": "Escriba su correo para confirmar: {email}", "data.delete.otherEmail": "Ese no es {email}.", "data.delete.last": "Usted es la última persona con el rol Soporte. Déselo antes a otra persona.", "data.delete.done": "Su cuenta se eliminó.",
  "data.delete.signInFirst": "Para esto inicie sesión otra vez: cierre la sesión, ábrala y vuelva antes de diez minutos.",

  // Personas, para administradores
  "manage.menu": "Más para {name}", "manage.disabled": "Desactivada", "manage.seen": "Último inicio de sesión {time}", "manage.role": "Cambiar rol y marca…", "manage.disable": "Desactivar…", "manage.enable": "Activar", "manage.reset": "Enlace para la contraseña…", "manage.remove": "Eliminar…",
  "manage.role.title": "Rol de {name}", "manage.role.saved": "Rol de {name}: {role}.", "manage.last": "{name} es la última persona con el rol Soporte. Déselo antes a otra persona.",
  "manage.disable.title": "¿Desactivar a {name}?", "manage.disable.button": "Desactivar", "manage.disable.help": "La sesión de {name} se cierra en todas partes en segundos y no podrá abrirla hasta que usted active la cuenta. Los tokens terminan para siempre. Los planes quedan.", "manage.disable.done": "{name} ya no puede iniciar sesión.", "manage.enable.done": "{name} puede iniciar sesión otra vez.",
  "manage.reset.title": "Enlace para la contraseña de {name}", "manage.reset.button": "Crear enlace", "manage.reset.help": "Quien abra el enlace puede elegir una contraseña nueva para {name}. Sirve una vez, durante una hora. Un enlace anterior deja de servir.",
  "manage.reset.approval": "Es administrador de la plataforma, o lo fue hace poco: el enlace no abre nada hasta que otro administrador lo apruebe.",
  "manage.approve": "Aprobar el enlace…", "manage.approve.title": "Aprobar el enlace para {name}", "manage.approve.button": "Aprobar", "manage.approve.help": "Otro administrador creó un enlace con el que {name} puede elegir una contraseña nueva. Pregunte a los dos antes de aprobarlo.", "manage.approve.none": "Ningún enlace espera aprobación.", "manage.approve.own": "Otro administrador debe aprobar el enlace que usted creó.", "manage.approve.done": "El enlace para {name} ya funciona.",
  "manage.reset.label": "Enlace para la contraseña nueva", "manage.reset.send": "Envíe este enlace a {email} por un medio en el que confíe. Sirve una vez, hasta el {time}, y no se muestra otra vez.", "manage.reset.disabled": "Active antes la cuenta.",
  "manage.identities": "Inicio de sesión único…", "manage.identities.title": "Cómo inicia sesión {name}", "manage.identities.help": "Cuentas del servicio de inicio de sesión que abren esta. Al desconectar una se cierran todas las sesiones que vinieron de allí.", "manage.identities.none": "No hay ninguna cuenta del servicio de inicio de sesión conectada a {name}.", "manage.identities.close": "Cerrar",
  "manage.remove.title": "¿Eliminar a {name}?", "manage.remove.button": "Eliminar para siempre", "manage.remove.help": "Se elimina para siempre: la cuenta, sus planes con sus conversaciones y cambios, sus tokens y sus inicios de sesión. Queda lo que hizo en planes de otras personas. Para conservarlo todo, desactive la cuenta.", "manage.remove.email": "Escriba el correo para confirmar: {email}", "manage.remove.done": "{name} se eliminó.",
  "manage.running": "El asesor todavía responde en uno de los planes. Inténtelo de nuevo en un momento.",

  "title.invitations": "Personas · Plan Advisor", "invite.title": "Invitaciones", "invite.help": "Personas que usted invitó y que todavía no abrieron su cuenta.", "invite.brandTitle": "Personas", "invite.brandHelp": "Invite a franquiciados de su marca. Sus planes y conversaciones son de ellos: usted no los ve.",
  "invite.none": "No hay invitaciones abiertas.", "invite.open": "Invitar…", "invite.dialog": "Invitar a alguien", "invite.dialogBrand": "Invitar a un franquiciado", "invite.button": "Crear invitación", "invite.email": "Correo electrónico", "invite.email.hint": "Iniciará sesión con él.", "invite.role": "Rol",
  "invite.role.franchisee": "Hace planes y habla de ellos con el asesor.", "invite.role.franchisor_admin": "Cuida los valores de una marca e invita a sus franquiciados. No ve ningún plan.", "invite.role.platform_admin": "Ve todos los planes y administra a las personas.",
  "invite.brand": "Marca", "invite.brand.none": "Sin marca", "invite.brand.choose": "Elija una marca", "invite.brand.missing": "Un franquiciador necesita una marca.",
  "invite.conflict": "Este correo ya tiene una cuenta o una invitación abierta. Vea la lista.",
  "invite.link": "Invitación para {email}", "invite.link.label": "Enlace de la invitación", "invite.link.help": "No se envió ningún correo. Envíe usted este enlace a {email}: sirve una vez, hasta el {time}, y no se muestra otra vez.", "invite.mail": "Abrir en mi programa de correo",
  "invite.mail.subject": "Su invitación a Plan Advisor", "invite.mail.body": "Hola:\n\nAbra este enlace para crear su cuenta:\n{url}\n\nHasta el {time} sirve una sola vez.",
  "invite.by": "invitación de {name}", "invite.until": "vence el {time}", "invite.expired": "Vencida", "invite.again": "Enlace nuevo…", "invite.againOf": "Enlace nuevo: {email}", "invite.again.title": "¿Enlace nuevo para {email}?", "invite.again.help": "El enlace anterior deja de servir.", "invite.again.button": "Crear enlace nuevo",
  "invite.delete": "Eliminar", "invite.deleteOf": "Eliminar: {email}", "invite.delete.title": "¿Eliminar esta invitación?", "invite.delete.question": "El enlace enviado a {email} deja de servir.", "invite.deleted": "La invitación de {email} se eliminó.", "invite.list": "Invitaciones abiertas y vencidas",
};
