/** The page's words in English for a plan's conversation, which is what most people see first; see `en.js`. */
export const EN_DESK = {
  // The bar
  "bar.plan": "Plan", "plan.unnamed": "Unnamed plan", "plan.menu": "Plan options",
  "menu.account": "Account of {name}", "menu.me": "Account", "menu.invitations": "People", "menu.docs": "API reference", "menu.signOut": "Sign out", "menu.signOutEverywhere": "Sign out everywhere",
  "state.offline": "Advisor offline", "state.unconfigured": "No advisor set up", "state.reconnecting": "Reconnecting…",
  "newPlan.title": "New plan",
  "rename.open": "Name and opening month…",
  "delete.open": "Delete…",
  "erase.open": "Erase what was said…",

  // Views
  "desk.title": "Your plan with the advisor",
  "views.label": "Views", "views.chat": "Chat", "views.plan": "Plan", "views.results": "Results", "views.news": { one: "{count} change", other: "{count} changes" },

  // Support
  "banner.label": "Support", "banner.viewOnly": "View only: {name}’s plan.", "banner.viewOnly.help": "Nothing can be changed here.", "banner.yourself": "your own",
  "banner.act": "View or act as this franchisee…", "banner.read": "{name}, you are viewing as {other}.", "banner.edit": "{name}, you are acting as {other}. Changes are recorded under your name.",
  "banner.until": "Until {until}.", "banner.reason": "Reason: {reason}", "banner.end": "Stop",
  "people.title": "People and plans",
  "prompts.title": "Prompts",

  // Conversation
  "chat.title": "Conversation", "chat.messages": "Messages", "chat.toEnd": "Newest", "chat.earlier": "Show earlier messages",
  "composer.label": "Message to the advisor", "composer.placeholder": "Type a number or a question, e.g. “Rent is $4,200 a month”", "composer.placeholder.short": "Type a number or a question", "composer.hint": "Enter to send · Shift+Enter for a new line",
  "composer.loading": "Loading your plan…", "composer.readOnly": "View only", "composer.count": "{number} of {limit} characters", "composer.send": "Send", "composer.stop": "Stop the answer",
  "composer.editing": "Editing your last message. What it changed will be replaced.",
  "message.you": "You", "message.owner": "{name}", "message.author": "{name} (support)", "message.advisor": "Advisor", "message.thinking": "The advisor is thinking", "message.reconnecting": "Reconnecting…",
  "message.copy": "Copy", "message.copied": "Copied.", "message.notCopied": "This browser did not allow copying.", "message.link": "Copy link to this message", "message.linkCopied": "Link copied.",
  "message.edit": "Edit message", "message.regenerate": "Answer again", "message.showAll": "Show all", "message.showLess": "Show less",
  "message.erased": "The words of this message were erased.",
  "message.stopping": "Stopping…", "message.stopped": "You stopped the answer here. No value was taken from it.", "message.tooLong": "The answer reached its length limit.", "message.filtered": "The provider’s filter ended this answer.",
  "message.valuesWait": "Please check its values.",
  "failure.retry": "Try again", "failure.edit": "Edit message", "failure.unanswered": "This message was not answered.",
  "search.open": "Search in the conversation",
  "announce.stopped": "Stopped.", "announce.saved": "Added to plan: {labels}.", "announce.asked": "Please confirm: {labels}.", "announce.confirm": "Please confirm: {question}",
  "welcome.hello": "Hello {name}.", "welcome.helloAll": "Hello.", "welcome.nothing": "{name} has not written anything yet.",
  "welcome.what": "I add the numbers you give me, check with you when something’s unclear, and show how your results change. You make the decisions.",
  "welcome.software": "You are talking to software, not a person. It can mishear: every number it adds shows here with an Undo, and nothing it says is advice from the franchisor.",
  "welcome.guide": "Go through the key numbers", "welcome.or": "or just start talking:", "welcome.ways": "Ways to begin",
  "starter.more": "{words} …", "starter.rent": "Our rent is", "starter.loan": "We are borrowing", "starter.sales": "Our monthly sales will be", "starter.missing": "What is still missing?",

  // Values in the conversation
  "values.label": "Values from this message", "values.undoAll": { one: "Undo it", other: "Undo all {count}" },
  "value.applied": "Added to plan", "value.accepted": "Confirmed", "value.unchanged": "No change", "value.dismissed": "Ignored", "value.invalid": "Not usable", "value.undone": "Undone", "value.overtaken": "Asked again below", "value.given": "Confirmed below",
  "value.proposed": "Please confirm", "value.said": "You said {words}", "value.saidBy": "{name} says that you said {words}", "value.undo.label": "Undo {label}",
  "proposal.lead": "Use this number?", "proposal.label": "Proposed value for {label}", "proposal.now": "Now in the plan: {value}", "proposal.use": "Use {value}", "proposal.change": "Change it", "proposal.ignore": "Ignore",
  "proposal.yours": "Your value for {label}",
  "note.not_said": "The message doesn’t contain this number.", "note.relayed": "Your assistant says so. Is it right?", "note.contradicted": "The message names another number for this, too.", "note.far_off": "That is far from what plans usually hold here. Please check.",
  "note.unclear": "It wasn’t clear, so please confirm.", "note.two_values": "You named two numbers for this. Which one counts?", "note.rounded": "Rounded to {value} to fit the plan, so please confirm.", "note.hedged": "You said “{word}”, so please confirm.",
  "note.out_of_bounds": "A plan can’t hold this number.", "note.replaces": "Your later statement replaced an earlier one.", "note.changed_meanwhile": "You changed this number while the advisor was answering, so yours stayed.",
  "note.cut_answer": "The answer was cut short, so please confirm.", "note.model_unsure": "The advisor wasn’t sure, so please confirm.",
  "moved.label": "What this changed", "moved.to": " to ",
  "confirm.lead": "Please confirm", "confirm.left": "Time left to decide", "confirm.button": "Yes, go ahead", "confirm.expired": "This request expired. Nothing was changed.",
  "confirm.reset_fields_to_defaults.button": { one: "Reset {count} number", other: "Reset {count} numbers" }, "confirm.clear_conversation.button": "Clear the conversation", "confirm.adopt_scenario.button": "Use this scenario", "confirm.draft_story.button": "Use this text",
  "confirm.reset_fields_to_defaults.deny": "Nothing was changed.", "confirm.clear_conversation.deny": "Nothing was changed.", "confirm.adopt_scenario.deny": "Nothing was changed.", "confirm.draft_story.deny": "Nothing was changed.",

  // What just happened
  "toast.now": "{label} is now {value}.", "toast.again": "{label} is {value} again.", "toast.stays": "{label} stays as it was.", "toast.reset": "{label} is back at the brand default.",

  // Plan
  "source.brand": "Brand", "source.brand.help": "Brand default: a planning figure set by the brand, until you replace it.", "source.you": "You", "source.you.help": "You entered this.",
  "source.owner": "Owner", "source.owner.help": "{name} entered this.", "source.advisor": "Advisor", "source.advisor.help": "The advisor added this from the conversation.", "source.support": "Support", "source.support.help": "Entered by {name} (support).",
  "remark.above": "Above the franchisor’s published range ({low}–{high}).", "remark.below": "Below the franchisor’s published range ({low}–{high}).",
  "remark.high": "Higher than the {low} to {high} that plans usually hold here.", "remark.low": "Lower than the {low} to {high} that plans usually hold here.",
  "remark.kept": "We kept your number. Please double-check.",
  "box.which": { one: "{words} is not plain. Did you mean this?", other: "{words} can mean two numbers. Which one?" },
  "refuse.unreadable": "Enter a single number, like 4,200.", "refuse.empty": "Enter a number.", "refuse.percent": "Enter a percentage from {low} to {high}.", "refuse.least": "Enter an amount of {low} or more.",
  "refuse.most": "Enter an amount of at most {high}.", "refuse.number": "Enter a number from {low} to {high}.",

  // Results
  "metric.never": "not within 5 years", "metric.none": "none", "metric.noLoan": "no loan", "metric.notCovered": "not covered",

  // Take it along
  "story.open": "Story for the lender", "results.rounded": "Amounts here are rounded to whole dollars. Print and downloads have the cents.",
  "print.open": "Print or save as PDF", "print.back": "Back to the plan",

  // Scenarios
  "title.scenarios": "Scenarios · {name}", "scenarios.title": "Scenarios", "scenarios.open": "Compare scenarios", "scenarios.pick": "Scenarios to compare", "scenarios.plan": "Your plan",
  "suggestions.label": "What you could ask next", "value.listed": "In the list of open answers", "open.title": { one: "{count} answer waits for your word", other: "{count} answers wait for your word" }, "open.useAll": "Use all {count}", "open.use": "Use {count}", "open.ignore": "Ignore these",
  "open.author": "Entered by {name}", "author.assistant": "Assistant ({name})", "open.used": { one: "{count} value is in your plan.", other: "{count} values are in your plan." }, "open.ignored": { one: "{count} value was ignored.", other: "{count} values were ignored." },
  "metric.earlier": { one: "{count} month earlier", other: "{count} months earlier" }, "metric.later": { one: "{count} month later", other: "{count} months later" }, "metric.points": "{number} points",

  // Glossary
  "glossary.title": "Glossary", "glossary.help": "Every number of the plan and every result in one sentence.", "glossary.find": "Find a word", "glossary.terms": "Terms", "glossary.back": "Back to the plan", "glossary.aliases": "Also called: {words}.",

  // Brand
  "brand.own": "Your brand", "brand.menu": "Brands",
  "value.saidBySupport": "{name} (support) said {words}", "value.saidByOwner": "{name} said {words}",
};
