/** The page's words in English about accounts, invitations and people; see `en.js`. */
export const EN_ACCOUNT = {
  // After recovery
  "identities.remain": "Your account still opens by single sign-on: {names}. If one of them is not yours, remove it in your account.",
  "reset.notice": "On {time} a link that {name} had made was used to choose a new password for your account. If that was not you, change your password and sign out everywhere.", "reset.notice.operator": "On {time} a link from the operator was used to choose a new password for your account. If that was not you, change your password and sign out everywhere.", "reset.notice.seen": "I have read it",

  // Passwords, and what is shown once
  "password.show": "Show", "password.rule": "At least {min} characters. Several words that don’t belong together are easy to remember and hard to guess.",
  "password.none": "Choose a password.", "password.short": { one: "Use at least {min} characters. This has {count}.", other: "Use at least {min} characters. This has {count}." }, "password.long": "Use at most {max} characters.",
  "password.refused": "This is easy to guess. Take several words that don’t belong together, and leave out your name.",
  "secret.copy": "Copy", "secret.copied": "Copied.", "secret.copyKeys": "This browser did not allow copying. The text is selected: press Ctrl+C.", "secret.copyApple": "This browser did not allow copying. The text is selected: press ⌘C.",
  "secret.done": "Done",

  // Single sign-on, and why it did not work
  "single.signIn": "Sign in with {label}", "single.or": "or",
  "problem.sso_unavailable": "The sign-in service can’t be reached right now. Try again in a few minutes, or use your password if you have one.",
  "problem.sso_refused": "The sign-in was canceled. Start again when you are ready.",
  "problem.sso_failed": "The sign-in could not be checked. Please try again. If it happens again, tell your administrator.",
  "problem.sso_expired": "That took longer than ten minutes, so the sign-in was stopped. Please try again.",
  "problem.sso_no_cookie": "Your browser kept nothing of this sign-in, or it was over already. Please start again. If it keeps happening, allow cookies for this page and open it with https.",
  "problem.sso_too_many": "There were too many failed sign-ins from your network. Please try again in 15 minutes.",
  "problem.sso_not_invited": "There is no account for you here yet. Ask the person who works with you on your plan, or your administrator, for an invitation.",
  "problem.sso_email_unverified": "Your sign-in service has not confirmed your email address. Confirm it there, then try again.",
  "problem.sso_link_taken": "That sign-in already belongs to another account here. Sign out of it at the service and choose your own.",
  "problem.other": "The sign-in did not work. Please try again, or ask your administrator.",
  "signedIn.title": "You are signed in", "signedIn.help": "Close this tab and go on in the one before. Everything you typed is still there.", "signedIn.go": "Or go on here",

  // An invitation
  "title.invitation": "Invitation · Plan Advisor", "invitation.title": "You are invited.", "invitation.what": "Plan Advisor turns a conversation about rent, sales, staff, and loans into a financial plan.",
  "invitation.form": "Create your account", "invitation.email": "Email", "invitation.role": "You will be", "invitation.brand": "Brand", "invitation.expires": "Invitation ends",
  "invitation.name": "Your name", "invitation.name.hint": "As others should read it.", "invitation.noName": "Enter your name.", "invitation.longName": "Use at most {max} characters.",
  "invitation.password": "Choose a password", "invitation.accept": "Create account", "invitation.single": "Continue with {label}", "invitation.orPassword": "or choose a password", "invitation.singleOnly": "You will sign in with {label}. No password is needed.",
  "invitation.here": "This browser is signed in as {name}. Creating the account signs you in as {email} instead.",
  "invitation.gone": "This invitation can’t be used any more", "invitation.gone.help": "It was used already, or it has expired. If you have an account, sign in. If not, ask the person who sent it for a new one.",
  "invitation.signIn": "Go to sign-in", "link.none": "Open the link again", "link.none.help": "For your safety this page keeps the link for a moment only. Open it once more from the message you got.",

  // A new password by a link
  "title.reset": "New password · Plan Advisor", "reset.title": "Choose a new password.", "reset.what": "Then sign in with it. You will be signed out everywhere else.", "reset.password": "New password", "reset.save": "Save new password",
  "reset.done": "Your new password is saved. Sign in with it.", "reset.gone": "This link can’t be used any more", "reset.gone.help": "It works once, for one hour. Ask your administrator for a new one.",

  // One's own account
  "title.account": "Account · Plan Advisor", "account.title": "Account", "account.name": "Name", "account.email": "Email", "account.role": "Role", "account.since": "Member since",
  "account.acting": "While you view as {name}, your own account is closed. Stop viewing first.", "account.stop": "Stop viewing",
  "account.password": "Password", "account.password.help": "A new password signs you out everywhere but here, and ends access tokens.", "account.password.none": "You sign in without a password. You may set one as well.",
  "account.password.change": "Change password", "account.password.set": "Set a password", "account.password.current": "Current password", "account.password.next": "New password", "account.password.saved": "Your new password is saved.",
  "account.password.wrong": "That is not your current password.", "account.password.signInFirst": "For this, sign in once more: sign out, sign in, and come back within ten minutes.",
  "account.single": "Single sign-on", "account.single.connect": "Connect {label}", "account.single.another": "Connect another account of {label}", "account.single.help": "Connect it and you can sign in without your password.", "account.single.here": "You can sign in with these. If you don’t know one of them, disconnect it.",
  "account.single.connect.help": "You sign in to {label} next. From then on that account opens this one.", "account.single.go": "Go on to {label}", "account.single.by.email": "connected {date} by its confirmed email", "account.single.by.hand": "connected {date} on this page",
  "account.single.unlink": "Disconnect", "account.single.unlinkOf": "Disconnect: {name}", "account.single.unlink.title": "Disconnect {name}?", "account.single.unlink.help": "It no longer opens your account here, and everybody who signed in with it is signed out, but for this browser.", "account.single.unlink.done": "{name} is disconnected.",
  "account.single.unlink.last": "You could not sign in any more. Set a password or connect another account first.",
  "notice.title": "This account is yours alone now", "notice.sso_first_proof": "Your sign-in service has confirmed your email address for the first time. The password, sign-ins, access tokens and links that this account had before are removed, because somebody else could have made them. You may set a new password on the account page.",

  "sessions.title": "Where you are signed in", "sessions.help": "If you don’t know one of these, sign it out and change your password.", "sessions.on": "{browser} on {system}", "sessions.unknown": "Unknown browser",
  "sessions.current": "This browser", "sessions.end": "Sign out", "sessions.endOf": "Sign out: {name}", "sessions.ended": "{name} is signed out.", "sessions.times": "Signed in {started} {how}. Last used {used}.",
  "sessions.password": "with a password", "sessions.oidc": "by single sign-on", "sessions.invitation": "with an invitation", "sessions.everywhere": "Sign out everywhere",
  "sessions.everywhere.done": "You are signed out everywhere. Other browsers, access tokens, and open links of yours no longer work. If somebody knows your password, sign in and change it.", "sessions.everywhere.gone": "You were signed out here already, so other browsers were not. Sign in and choose “Sign out everywhere” again.",

  "tokens.password": "Your password, if you signed in more than ten minutes ago", "tokens.signInFirst": "It is a while since you signed in. Type your password, or sign in again first.",
  "tokens.title": "Access tokens", "tokens.help": "A token lets a program of yours work with your plans, without your password.", "tokens.none": "No token yet.", "tokens.create": "Create a token…", "tokens.create.button": "Create token",
  "tokens.name": "Name", "tokens.name.hint": "What it is for, for example “Spreadsheet”.", "tokens.noName": "Give it a name.", "tokens.longName": "Use at most {max} characters.", "tokens.scopes": "What it may do",
  "tokens.scope.read": "Read", "tokens.scope.read.help": "See plans, results, and conversations. Every token can do this.", "tokens.scope.chat": "Talk", "tokens.scope.chat.help": "Write to the advisor and answer its questions, in your name.",
  "tokens.scope.write": "Change", "tokens.scope.write.help": "Create plans, change their numbers, and delete them.",
  "tokens.plan": "For which plan", "tokens.plan.all": "All your plans", "tokens.plan.gone": "one plan", "tokens.expires": "Ends after", "tokens.days": { one: "{count} day, on {date}", other: "{count} days, on {date}" },
  "tokens.secret": "Your new token", "tokens.secret.help": "Copy it now and keep it like a password: anybody who has it can do this in your name. It is not shown again.", "tokens.secret.label": "Token",
  "tokens.until": "ends {date}", "tokens.since": "ended {date}", "tokens.ended": "Expired", "tokens.used": "last used {date}", "tokens.unused": "not used yet", "tokens.delete": "Delete", "tokens.deleteOf": "Delete: {name}",
  "tokens.delete.title": "Delete this token?", "tokens.delete.question": "Programs that use “{name}” lose their access at once.", "tokens.deleted": "{name} is deleted.", "tokens.full": "You have as many tokens as one person may have. Delete one first.",
  "assistant.title": "Connect your assistant", "assistant.help": "Your own assistant, such as Claude, can read your plans, try out other numbers, and propose values. Your plan does not change until you use a proposal. Make a token with “Read” and “Talk” for it, named after the assistant, and put it where the settings say pat_….",
  "assistant.address": "Address", "assistant.settings": "Settings for {name}",

  "data.title": "Your data", "data.help": "Everything this server holds about you, in one file that programs can read: plans, conversations, numbers, and sign-ins.", "data.download": "Download my data",
  "data.delete": "Delete my account…", "data.delete.title": "Delete your account?", "data.delete.button": "Delete my account", "data.delete.goes": "Deleted for good: your account, your plans with their conversations and changes, your tokens, and your sign-ins.",
  "data.delete.stays": "What stays: what you wrote or changed in plans of other people, with your name.", "data.delete.first": "Download your data first if you may want it later.", "data.delete.password": "Your password, to be sure it is you", "data.delete.wrong": "That is not your password.",
  "data.delete.email": "Type your email to confirm: {email}", "data.delete.otherEmail": "That is not {email}.", "data.delete.last": "You are the last person with the Support role. Give it to somebody else first.", "data.delete.done": "Your account is deleted.",
  "data.delete.signInFirst": "For this, sign in once more: sign out, sign in, and come back within ten minutes.",

  // People, for administrators
  "manage.menu": "More for {name}", "manage.disabled": "Disabled", "manage.seen": "Last sign-in {time}", "manage.role": "Change role and brand…", "manage.disable": "Disable…", "manage.enable": "Enable", "manage.reset": "Password reset link…", "manage.remove": "Remove…",
  "manage.role.title": "Role of {name}", "manage.role.saved": "{name} is now: {role}.", "manage.last": "{name} is the last person with the Support role. Give it to somebody else first.",
  "manage.disable.title": "Disable {name}?", "manage.disable.button": "Disable", "manage.disable.help": "{name} is signed out everywhere within seconds and can’t sign in until you enable the account again. Tokens end for good. Plans stay.", "manage.disable.done": "{name} is disabled.", "manage.enable.done": "{name} can sign in again.",
  "manage.reset.title": "Password reset link for {name}", "manage.reset.button": "Create link", "manage.reset.help": "Whoever opens the link can choose a new password for {name}. It works once, for one hour. An earlier link stops working.",
  "manage.reset.approval": "This person is a platform administrator, or was one lately: the link opens nothing until another administrator approves it.",
  "manage.approve": "Approve reset link…", "manage.approve.title": "Approve the reset link for {name}", "manage.approve.button": "Approve", "manage.approve.help": "Another administrator has made a link with which {name} can choose a new password. Ask both before you approve it.", "manage.approve.none": "No link waits for approval.", "manage.approve.own": "Another administrator has to approve the link that you made.", "manage.approve.done": "The link for {name} works now.",
  "manage.reset.label": "Link for a new password", "manage.reset.send": "Send this link to {email} in a way that you trust. It works once, until {time}, and is not shown again.", "manage.reset.disabled": "Enable the account first.",
  "manage.identities": "Single sign-on…", "manage.identities.title": "How {name} signs in", "manage.identities.help": "Accounts at the sign-in service that open this one. Disconnecting one ends all sign-ins that came from there.", "manage.identities.none": "No account at the sign-in service is connected to {name}.", "manage.identities.close": "Close",
  "manage.remove.title": "Remove {name}?", "manage.remove.button": "Remove for good", "manage.remove.help": "Deleted for good: the account, its plans with their conversations and changes, its tokens and sign-ins. What they did in plans of other people stays. To keep all that, disable the account instead.", "manage.remove.email": "Type the email to confirm: {email}", "manage.remove.done": "{name} is removed.",
  "manage.running": "The advisor is still answering in one of the plans. Try again in a moment.",

  "title.invitations": "People · Plan Advisor", "invite.title": "Invitations", "invite.help": "People you invited who have not opened their account yet.", "invite.brandTitle": "People", "invite.brandHelp": "Invite franchisees of your brand. Their plans and conversations stay with them: you don’t see them.",
  "invite.none": "No open invitation.", "invite.open": "Invite…", "invite.dialog": "Invite somebody", "invite.dialogBrand": "Invite a franchisee", "invite.button": "Create invitation", "invite.email": "Email", "invite.email.hint": "They will sign in with it.", "invite.role": "Role",
  "invite.role.franchisee": "Makes plans and talks to the advisor about them.", "invite.role.franchisor_admin": "Keeps a brand’s defaults and invites its franchisees. Sees no plan.", "invite.role.platform_admin": "Sees all plans and manages people.",
  "invite.brand": "Brand", "invite.brand.none": "No brand", "invite.brand.choose": "Choose a brand", "invite.brand.missing": "A franchisor needs a brand.",
  "invite.conflict": "This email has an account or an open invitation already. See the list.",
  "invite.link": "Invitation for {email}", "invite.link.label": "Invitation link", "invite.link.help": "Nothing was mailed. Send this link to {email} yourself: it works once, until {time}, and is not shown again.", "invite.mail": "Open in my mail program",
  "invite.mail.subject": "Your invitation to Plan Advisor", "invite.mail.body": "Hello,\n\nplease open this link to create your account:\n{url}\n\nIt works once, until {time}.",
  "invite.by": "invited by {name}", "invite.until": "ends {time}", "invite.expired": "Expired", "invite.again": "New link…", "invite.againOf": "New link: {email}", "invite.again.title": "New link for {email}?", "invite.again.help": "The earlier link stops working.", "invite.again.button": "Create new link",
  "invite.delete": "Delete", "invite.deleteOf": "Delete: {email}", "invite.delete.title": "Delete this invitation?", "invite.delete.question": "The link sent to {email} stops working.", "invite.deleted": "The invitation of {email} is deleted.", "invite.list": "Open and expired invitations",
};
