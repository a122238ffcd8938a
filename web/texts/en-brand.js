/** The page's words in English: a brand's desk, who has joined it, and corrections that owners of plans are told of. */
export const EN_BRAND = {
  // Numbers
  "brand.help": "New plans of this brand start from these defaults. Plans that exist keep what they were made with, and their owners are told of corrections. What franchisees enter and say stays with them.",
  "brand.none": "No brand", "brand.none.help": "Your account is not linked to a brand yet.", "brand.startup": "Startup costs (Item 7)", "brand.default": "Default", "brand.low": "Published low", "brand.high": "Published high",
  "brand.undisclosed": "not disclosed", "brand.label": "Label", "brand.helpText": "Help, one sentence", "brand.aliases": "Also called (separate with commas)", "brand.provenance": "Where it comes from",
  "brand.save": "Publish for new plans", "brand.saved": "Published. New plans start from it; existing plans keep their own edition.", "brand.preview": "What a franchisee will see", "brand.preview.help": "Open a number to see it here.", "brand.noHelp": "No help text yet.",
  "desk.publish": "Review and publish", "desk.discard": "Discard", "desk.unchanged": "Nothing to publish", "desk.changes": { one: "{count} change", other: "{count} changes" }, "desk.changed": "Changed", "desk.nothing": "none",
  "desk.filter.changed": "Changed", "desk.filter.none": "Nothing has been changed.",
  "desk.restored": { one: "{count} change of an earlier visit is not published yet. It was kept in this browser.", other: "{count} changes of an earlier visit are not published yet. They were kept in this browser." },
  "desk.discarded": { one: "{count} change discarded.", other: "{count} changes discarded." },

  // Startup costs
  "desk.row.add": "Add a cost", "desk.row.add.title": "Add a startup cost", "desk.row.add.button": "Add", "desk.row.add.help": "It starts at $0 and is part of new plans once you publish.", "desk.row.same": "Another cost has this label, too.",
  "desk.row.remove": "Remove this cost", "desk.row.removeOf": "Remove this cost: {label}", "desk.row.removed": "removed from new plans", "desk.row.removed.done": "{label} is removed from the draft. Plans that have it keep it.",
  "desk.row.back": "Put back", "desk.row.backOf": "Put back: {label}",
  "desk.class.capex": "Equipment or build-out (lasts for years)", "desk.class.non_capex": "An expense (gone once it is spent)", "desk.class.intangible": "Franchise fee", "desk.class.inventory": "Stock on opening day", "desk.class.deposit": "Deposit (comes back)", "desk.class.prepaid": "Months of a running cost, paid ahead", "desk.class.working_capital": "Cash kept in reserve",

  // Before publishing
  "desk.publish.title": { one: "Publish {count} change?", other: "Publish {count} changes?" }, "desk.before": "Before:", "desk.after": "Now:",
  "desk.standing": { one: "{count} plan stands at this default.", other: "{count} plans stand at this default." },
  "desk.touches": { one: "{count} plan of this brand stands at a default that changes.", other: "{count} plans of this brand stand at a default that changes." }, "desk.touches.none": "No default changes.",
  "desk.touches.help": "Existing plans keep their numbers. Their owners are told of a corrected default and decide themselves.",
  "desk.part.brand": "The brand", "desk.part.value": "Default", "desk.part.defaultAmount": "Default", "desk.part.item7Low": "Published low", "desk.part.item7High": "Published high", "desk.part.label": "Label", "desk.part.help": "Help", "desk.part.aliases": "Also called",
  "desk.part.provenance": "Where it comes from", "desk.part.description": "Note for the advisor", "desk.part.class": "What kind of cost it is", "desk.part.derives": "What its range says about monthly costs", "desk.part.added": "Cost added", "desk.part.removed": "Cost removed",
  "desk.part.name": "Name", "desk.part.item19": "Item 19", "desk.part.thresholds": "Limits of the remarks on results",
  "desk.moved": { one: "{name} published edition {version} meanwhile. Your {count} change now stands on top of it. Look at it again, then publish.", other: "{name} published edition {version} meanwhile. Your {count} changes now stand on top of it. Look at them again, then publish." },
  "desk.moved.lost": "No longer there: {label}. Your {part} for it was: {after}",
  "desk.leave.title": { one: "Discard {count} change?", other: "Discard {count} changes?" }, "desk.leave.question": "It is not published yet. You can keep it as a draft in this browser.", "desk.leave.signOut": "It is not published yet, and signing out removes drafts from this browser.",
  "desk.leave.discard": "Discard", "desk.leave.keep": "Keep as a draft", "desk.leave.stay": "Stay here",

  // What is wrong
  "desk.problem.order": "The high end must not be below the low end.", "desk.problem.both": "Enter both ends of the published range, or neither.", "desk.problem.label": "Enter a label.",
  "desk.problem.length": "Enter {low} to {high} characters.", "desk.problem.invisible": "This text has characters that cannot be seen. Type it anew.", "desk.problem.line": "This text must be on one line.",
  "desk.problem.kind": "This kind of cost does not fit what the row says about monthly costs. Choose another.", "desk.problem.names": "Enter at most {high} names.", "desk.problem.rows": "A brand has at most {high} startup costs. Remove one to add another.", "desk.problem.amount": "Enter an amount from $0 to $100,000,000.", "desk.problem.cents": "Enter an amount with at most two decimals.", "desk.problem.other": "The server does not take this: {message}",

  // Editions and the sample
  "desk.editions": "Editions", "desk.editions.help": "Each time somebody publishes, a new edition is made. A plan keeps the one it was made with.", "desk.edition": "Edition {version}", "desk.edition.nobody": "the installation",
  "desk.edition.first": "The first edition.", "desk.edition.same": "Nothing was changed.", "desk.edition.reading": "Reading…",
  "desk.sample": "A new franchisee’s plan", "desk.sample.open": "Open a sample plan", "desk.sample.help": "This is how a new plan of this brand begins. It is computed from the defaults and stored nowhere.", "desk.sample.draft": "This is how a new plan would begin with your unpublished changes. It is stored nowhere.", "desk.sample.derived": "follows",

  // People
  "desk.members": "Who has joined", "desk.members.help": "What they enter and say stays with them: you don’t see their plans.", "desk.members.none": "Nobody else has joined yet. Whoever opens an invitation and makes an account appears here.",
  "desk.member.since": "since {date}", "desk.member.disabled": "May not sign in",

  // For owners of plans
  "desk.corrections": { one: "The brand has corrected a number", other: "The brand has corrected {count} numbers" }, "desk.corrections.help": "Your plan still has the default from before. Nothing changes unless you say so.", "desk.corrections.owner": "The plan still has the default from before. Its owner decides.",
  "desk.correction.take": "Use {after}", "desk.correction.takeOf": "{label}: use {after}", "desk.correction.leave": "Leave {before}", "desk.correction.leaveOf": "{label}: leave {before}", "desk.correction.leaveAll": "Leave them all", "desk.correction.taken": "{label} is now {value}.",
  "desk.correction.meanwhile": "The plan has changed meanwhile. Look at it again, then decide.",
};
