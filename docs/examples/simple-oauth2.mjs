// npm install simple-oauth2
// ISSUER=https://masthead.example CLIENT_ID=… CLIENT_SECRET=… node simple-oauth2.mjs
// Register http://localhost:3000/callback as a redirect URI, then open http://localhost:3000
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { AuthorizationCode } from 'simple-oauth2'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = '3000' } = process.env
const home = `http://localhost:${PORT}`
const redirect_uri = `${home}/callback`
const scope = 'newsletter:read'

const client = new AuthorizationCode({
  client: { id: CLIENT_ID, secret: CLIENT_SECRET },
  auth: {
    tokenHost: ISSUER,
    tokenPath: '/general/oauth/token',
    revokePath: '/general/oauth/revoke',
    authorizePath: '/general/oauth/authorize',
  },
})

// What belongs to each browser, by its cookie. Keep it in your database.
const sessions = new Map()

const pages = {
  /** Sends the browser to the consent page. */
  async '/connect'(session) {
    session.verifier = randomBytes(32).toString('base64url')
    session.state = randomBytes(16).toString('base64url')
    const code_challenge = createHash('sha256').update(session.verifier).digest('base64url')
    const { state } = session
    return new URL(
      client.authorizeURL({ redirect_uri, scope, state, code_challenge, code_challenge_method: 'S256' }),
    )
  },

  /** Takes the browser back, and changes the code for tokens. */
  async '/callback'(session, url) {
    const { code, state, error } = Object.fromEntries(url.searchParams)
    if (error) return '<a href="/connect">Nothing was connected. Try again</a>'
    if (!session.state || state !== session.state) return 'This answer belongs to another browser.'
    session.token = await client.getToken({ code, redirect_uri, code_verifier: session.verifier })
    return new URL(home)
  },

  /** Calls the API: the projects that the user chose. */
  async '/'(session) {
    if (!session.token) return '<a href="/connect">Connect a project</a>'
    // Each refresh gives a new refresh token: keep the new one.
    if (session.token.expired(60)) session.token = await session.token.refresh()
    const answer = await fetch(new URL('/general/api/v1/project/list', ISSUER), {
      headers: { Authorization: `Bearer ${session.token.token.access_token}` },
    })
    return `<pre>${escaped(await answer.text())}</pre><a href="/disconnect">Disconnect</a>`
  },

  /** Ends the whole authorization. */
  async '/disconnect'(session) {
    await session.token.revoke('refresh_token')
    session.token = null
    return new URL(home)
  },
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

createServer(async (request, response) => {
  const known = /session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const id = sessions.has(known) ? known : randomUUID()
  const session = sessions.get(id) ?? {}
  sessions.set(id, session)
  response.setHeader('Set-Cookie', `session=${id}; HttpOnly; SameSite=Lax; Path=/`)
  const url = new URL(request.url, home)
  try {
    const shown = await pages[url.pathname]?.(session, url)
    if (shown instanceof URL) response.writeHead(302, { Location: shown.href }).end()
    else response.writeHead(shown ? 200 : 404, { 'Content-Type': 'text/html' }).end(shown)
  } catch (error) {
    response.writeHead(400, { 'Content-Type': 'text/plain' })
    response.end(error.data?.payload?.error_description ?? error.message)
  }
}).listen(PORT, () => console.log(`Open ${home}`))
