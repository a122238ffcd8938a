/**
 * The certified identity provider `oidc-provider` with one client, our server. Its pages accept any password; a person's
 * login is the local part of their address.
 *
 *   node provider.js PORT REDIRECT_BASE     serves until it is ended
 */
import { generateKeyPairSync } from "node:crypto";
import { Provider } from "oidc-provider";

const [port, base] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

const provider = new Provider(`http://localhost:${port}`, {
  clients: [{
    client_id: "plans",
    client_secret: process.env.OIDC_CLIENT_SECRET,
    redirect_uris: [`${base}/api/auth/oidc/callback`],
    post_logout_redirect_uris: [`${base}/?view=sign-in`],
    backchannel_logout_uri: `${base}/api/auth/oidc/backchannel-logout`,
    backchannel_logout_session_required: true,
  }],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  cookies: { keys: ["identity-tests"] },
  features: {
    backchannelLogout: { enabled: true },
    devInteractions: { enabled: true },
    rpInitiatedLogout: { enabled: true },
  },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@Example.com`, email_verified: id !== "mallory", name: `${id} of the provider` }),
  }),
  // Our server is on this machine, which the provider does not call otherwise.
  fetch: (url, options) => globalThis.fetch(url, { ...options, dispatcher: undefined }),
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
  pkce: { required: () => true },
});
for (const event of ["server_error", "authorization.error", "grant.error", "backchannel.error"]) {
  provider.on(event, (...details) => console.error(event, details.find((detail) => detail instanceof Error)));
}
provider.listen(Number(port), "localhost", () => console.log("listening"));
