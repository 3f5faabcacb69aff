// npm install openid-client
// ISSUER=https://masthead.example CLIENT_ID=… CLIENT_SECRET=… node openid-client.mjs
// Register http://localhost:3000/callback as a redirect URI, then open http://localhost:3000
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import * as oauth from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = '3000' } = process.env
const issuer = new URL(ISSUER)
const home = `http://localhost:${PORT}`
const redirect_uri = `${home}/callback`

// Reads /.well-known/oauth-authorization-server. Plain http is for tries only.
const config = await oauth.discovery(issuer, CLIENT_ID, CLIENT_SECRET, undefined, {
  algorithm: 'oauth2',
  execute: issuer.protocol === 'http:' ? [oauth.allowInsecureRequests] : [],
})

// What belongs to each browser, by its cookie. Keep it in your database.
const sessions = new Map()

const pages = {
  /** Sends the browser to the consent page. */
  async '/connect'(session) {
    session.verifier = oauth.randomPKCECodeVerifier()
    session.state = oauth.randomState()
    return oauth.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'newsletter:read',
      state: session.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(session.verifier),
      code_challenge_method: 'S256',
    })
  },

  /** Takes the browser back, and changes the code for tokens. Throws what the service refused. */
  async '/callback'(session, url) {
    keep(session, await oauth.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: session.verifier,
      expectedState: session.state,
    }))
    return new URL(home)
  },

  /** Calls the API: the projects that the user chose. */
  async '/'(session) {
    if (!session.tokens) return '<a href="/connect">Connect a project</a>'
    if (session.ends_at < Date.now() + 60_000)
      keep(session, await oauth.refreshTokenGrant(config, session.tokens.refresh_token))
    const answer = await fetch(new URL('/general/api/v1/project/list', issuer), {
      headers: { Authorization: `Bearer ${session.tokens.access_token}` },
    })
    return `<pre>${escaped(await answer.text())}</pre><a href="/disconnect">Disconnect</a>`
  },

  /** Ends the whole authorization. */
  async '/disconnect'(session) {
    await oauth.tokenRevocation(config, session.tokens.refresh_token)
    session.tokens = null
    return new URL(home)
  },
}

function keep(session, tokens) {
  session.tokens = tokens // Each refresh gives a new refresh token: keep the new one.
  session.ends_at = Date.now() + tokens.expires_in * 1000
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
    response.end(`${error.error ?? ''} ${error.error_description ?? error.message}`)
  }
}).listen(PORT, () => console.log(`Open ${home}`))
