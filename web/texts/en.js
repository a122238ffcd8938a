/**
 * The page's words in English: those that are needed before anybody is signed in. Those of a plan's conversation are in `en-desk.js`, the
 * others in `en-more.js`.
 *
 * A key names a place; `{places}` are filled; a text with forms takes the one for the count. Labels and help of fields and
 * metrics are not here: the API's catalogs have them.
 */
export const EN = {
  // Everywhere
  save: "Save", cancel: "Cancel", close: "Close", undo: "Undo", "toast.undone": "Undone.",
  skip: "Skip to the message box",
  standing: "These projections are yours, based on your assumptions. They are not a statement by the franchisor and actual results will differ.",
  csv: "Download CSV (60 months)", xlsx: "Download Excel workbook",
  "day.today": "Today", "day.yesterday": "Yesterday",
  "value.none": "not set",
  "unit.months": { one: "{number} month", other: "{number} months" }, "unit.months.name": "months", "unit.month.name": "month", "metric.month": "month {month}",
  "unit.days": { one: "{number} day", other: "{number} days" }, "unit.days.name": "days",
  "unit.years": { one: "{number} year", other: "{number} years" }, "unit.years.name": "years",
  "unit.years.long": "{count} years ({months} months)", "unit.percent.name": "percent",

  // Titles of the window
  "title.app": "Plan Advisor", "title.signIn": "Sign in · Plan Advisor", "title.plan": "{name} · Plan Advisor", "title.answered": "● Answer ready · {title}",
  "title.people": "People and plans · Plan Advisor", "title.prompts": "Prompts · Plan Advisor", "title.brand": "{name} · Brand · Plan Advisor",
  "title.glossary": "Glossary · Plan Advisor", "title.print": "{name} – financial plan",

  // Sign-in
  "signIn.title": "Talk through your numbers. See your plan change.",
  "signIn.what": "Tell the advisor about rent, sales, staff, and loans in your own words. Clear numbers go straight into your plan; when one isn’t clear, you’re asked first.",
  "signIn.email": "Email", "signIn.password": "Password", "signIn.button": "Sign in", "signIn.demo": "Try the demo as",
  "signIn.notKept": "Your browser did not keep the sign-in. Open this page by an address that begins with https.",
  "signIn.wrong": "That email and password don’t match. Check both and try again.",
  "signIn.noEmail": "Enter your email.", "signIn.badEmail": "Enter an email like name@example.com.", "signIn.noPassword": "Enter your password.",
  "signIn.forgot": "Forgot your password? Ask the person who invited you, or your administrator, for a reset link.",
  "again.title": "Please sign in again", "again.help": "Your session has ended. Nothing you typed is lost.", "again.other": "Sign in as somebody else",
  "role.franchisee": "Franchisee", "role.franchisor_admin": "Franchisor", "role.platform_admin": "Support",
  "demo.sam@demo.test": "A plan at the brand’s defaults", "demo.riley@demo.test": "A plan with edits from every source", "demo.taylor@demo.test": "A brand-new plan",
  "demo.morgan@demo.test": "Looks after the brand, sees no plan", "demo.admin@demo.test": "Sees every plan, can act for a franchisee",

  // What went wrong
  "trouble.title": "The page could not be loaded", "trouble.gone": "This plan is not here", "trouble.gone.help": "It may have been deleted, or it belongs to somebody else.", "trouble.again": "Try again", "trouble.home": "Go to my plans",
  "trouble.request": "Request {id}",
  "error.NETWORK": "The server cannot be reached. Check your connection.", "error.CONNECTION_LOST": "The connection was lost. Your message is safe.",
  "error.UNAUTHENTICATED": "Please sign in again.", "error.FORBIDDEN": "You may not do that here.", "error.RATE_LIMITED": "That was a lot at once. Give it a moment.",
  "error.TURN_IN_PROGRESS": "The advisor is still answering the message before this one.",
  "error.LLM_UNAVAILABLE": "The advisor can’t answer right now. Your message is kept. You can edit numbers under Your plan meanwhile.",
  "error.SERVER_RESTARTING": "The server was restarted. Please send your message again.", "error.INTERNAL_ERROR": "Something went wrong on our side. Your message is kept.", "error.UNAVAILABLE": "The server is busy or restarting. Try again in a moment.",
  "error.wait": { one: "You can try again in {count} second.", other: "You can try again in {count} seconds." },
  "error.settled": "You’ve already answered this one.", "error.nothingStands": "These numbers have changed since.", "error.noMessage": "That message is not here any more.",
};
