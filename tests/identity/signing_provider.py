"""A second identity provider: Authlib makes its keys and signs its tokens, with PS256.

  signing_provider.py PORT REDIRECT_BASE     serves until it is ended

Whoever comes to its page is signed in at once, as the person that `POST /person?sub=` names. `POST /logout?sub=` or `?sid=`
sends a logout token to the server and answers with the status that came back.
"""

import base64
import hashlib
import json
import os
import secrets
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from authlib.jose import JsonWebKey, jwt

PORT, BASE = int(sys.argv[1]), sys.argv[2]
ISSUER = f"http://localhost:{PORT}"
KEY = JsonWebKey.generate_key("RSA", 2048, {"use": "sig", "alg": "PS256"}, is_private=True)
KEY_ID = KEY.thumbprint()
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"

person = "ana"
codes: dict[str, dict] = {}


def sign(kind: str, claims: dict) -> str:
    header = {"alg": "PS256", "kid": KEY_ID, "typ": kind}
    now = int(time.time())
    return jwt.encode(header, {"iss": ISSUER, "aud": "plans", "iat": now, "exp": now + 120, **claims}, KEY).decode()


class Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status: int, body: object = None, location: str | None = None):
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        if location:
            self.send_header("location", location)
        self.end_headers()
        self.wfile.write(content)

    def address(self) -> tuple[str, dict]:
        url = urllib.parse.urlsplit(self.path)
        return url.path, dict(urllib.parse.parse_qsl(url.query))

    def do_GET(self):
        path, query = self.address()
        if path == "/.well-known/openid-configuration":
            self.answer(200, {
                "issuer": ISSUER,
                "authorization_endpoint": f"{ISSUER}/authorize",
                "token_endpoint": f"{ISSUER}/token",
                "jwks_uri": f"{ISSUER}/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["PS256"],
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
                "backchannel_logout_supported": True,
            })
        elif path == "/keys":
            self.answer(200, {"keys": [KEY.as_dict(is_private=False, kid=KEY_ID)]})
        elif path == "/authorize":
            code = secrets.token_urlsafe(16)
            codes[code] = {**query, "person": person}
            back = urllib.parse.urlencode({"code": code, "state": query["state"]})
            self.answer(302, location=f"{query['redirect_uri']}?{back}")
        else:
            self.answer(404)

    def do_POST(self):
        global person
        path, query = self.address()
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        if path == "/person":
            person = query["sub"]
            self.answer(204)
        elif path == "/token":
            self.exchange(dict(urllib.parse.parse_qsl(body)))
        elif path == "/logout":
            self.answer(200, {"status": send_logout(query)})
        else:
            self.answer(404)

    def exchange(self, form: dict):
        grant = codes.pop(form.get("code", ""), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if form.get("client_secret") != os.environ["OIDC_CLIENT_SECRET"]:
            self.answer(401, {"error": "invalid_client"})
        elif grant is None or grant["code_challenge"] != challenge.rstrip(b"=").decode():
            self.answer(400, {"error": "invalid_grant"})
        else:
            who = grant["person"]
            claims = {"sub": who, "sid": f"sid-{grant['state'][:8]}", "nonce": grant["nonce"], "azp": "plans",
                      "email": f"{who}@example.com", "email_verified": True, "name": who.title()}
            self.answer(200, {"access_token": secrets.token_urlsafe(16), "token_type": "Bearer", "id_token": sign("JWT", claims)})


def send_logout(claims: dict) -> int:
    token = sign("logout+jwt", {**claims, "jti": secrets.token_urlsafe(16), "events": {LOGOUT_EVENT: {}}})
    form = urllib.parse.urlencode({"logout_token": token}).encode()
    try:
        with urllib.request.urlopen(f"{BASE}/api/auth/oidc/backchannel-logout", form, timeout=10) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


ThreadingHTTPServer(("localhost", PORT), Pages).serve_forever()
