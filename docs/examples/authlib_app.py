# pip install authlib requests
# ISSUER=https://masthead.example CLIENT_ID=… CLIENT_SECRET=… python3 authlib_app.py
# Register http://localhost:3000/callback as a redirect URI, then open http://localhost:3000
import html, os, secrets
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

if os.environ["ISSUER"].startswith("http:"):
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # Plain http is for tries only.
from authlib.common.errors import AuthlibBaseError
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

ISSUER = os.environ["ISSUER"]
PORT = int(os.environ.get("PORT", "3000"))
HOME = f"http://localhost:{PORT}"

# What belongs to each browser, by its cookie. Keep it in your database.
sessions = {}


def client(session):
    def keep(token, refresh_token=None, access_token=None):
        session["token"] = token  # Each refresh gives a new refresh token: keep the new one.

    return OAuth2Session(
        os.environ["CLIENT_ID"],
        os.environ["CLIENT_SECRET"],
        scope="newsletter:read",
        redirect_uri=f"{HOME}/callback",
        code_challenge_method="S256",
        token=session.get("token"),
        state=session.get("state"),
        token_endpoint=f"{ISSUER}/general/oauth/token",
        update_token=keep,  # An access token that has ended is refreshed by itself.
    )


def connect(session, url):
    """Sends the browser to the consent page."""
    session["verifier"] = generate_token(48)
    address, session["state"] = client(session).create_authorization_url(
        f"{ISSUER}/general/oauth/authorize", code_verifier=session["verifier"], state=secrets.token_urlsafe()
    )
    return 302, address


def callback(session, url):
    """Takes the browser back, and changes the code for tokens. Raises what the service refused."""
    session["token"] = client(session).fetch_token(
        authorization_response=url, code_verifier=session["verifier"]
    )
    return 302, HOME


def start(session, url):
    """Calls the API: the projects that the user chose."""
    if not session.get("token"):
        return 200, '<a href="/connect">Connect a project</a>'
    answer = client(session).get(f"{ISSUER}/general/api/v1/project/list")
    return 200, f'<pre>{html.escape(answer.text, quote=False)}</pre><a href="/disconnect">Disconnect</a>'


def disconnect(session, url):
    """Ends the whole authorization."""
    client(session).revoke_token(f"{ISSUER}/general/oauth/revoke", session.pop("token")["refresh_token"])
    return 302, HOME


PAGES = {"/": start, "/connect": connect, "/callback": callback, "/disconnect": disconnect}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("session")
        id = cookie.value if cookie and cookie.value in sessions else secrets.token_urlsafe()
        page = PAGES.get(urlsplit(self.path).path, lambda *_: (404, ""))
        try:
            status, shown = page(sessions.setdefault(id, {}), HOME + self.path)
        except AuthlibBaseError as error:
            status, shown = 400, html.escape(f"{error.error} {error.description}")
        self.send_response(status)
        self.send_header("Set-Cookie", f"session={id}; HttpOnly; SameSite=Lax; Path=/")
        self.send_header(*(("Location", shown) if status == 302 else ("Content-Type", "text/html")))
        self.end_headers()
        self.wfile.write(b"" if status == 302 else shown.encode())


server = HTTPServer(("localhost", PORT), Handler)
print(f"Open {HOME}", flush=True)
server.serve_forever()
