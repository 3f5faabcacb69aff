import { expect } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Config } from '../../src/config.ts'
import { newId } from '../../src/ids.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import type { Role } from '../../src/shared/roles.ts'
import { members } from '../../src/store/tables/accounts.ts'
import { apps } from '../../src/store/tables/apps.ts'
import { app_secrets } from '../../src/store/tables/oauth.ts'
import { createWorld, PASSWORD, SCOPES, START, type World, type WorldOptions } from '../support/world.ts'

/** A registered app as its author holds it. */
export interface Client {
  id: string
  client_id: string
  client_secret: string
  redirect_uri: string
}

export interface OAuthWorld extends World {
  client: Client
  /** A second app, by the same developer. */
  rival: Client
  /** No secret: PKCE only. */
  public_client: Client
  /** A browser in which this person is signed in. */
  browser(who: Person): Promise<Browser>
  newClient(fields?: Partial<typeof apps.$inferInsert>): Promise<Client>
  /** POSTs to a token endpoint: a form, with the client's secret in the header unless told otherwise. */
  post(path: string, fields: Record<string, string>, options?: PostOptions): Promise<TokenResponse>
  /** Pushes an authorization request (RFC 9126); null leaves a parameter out. */
  push(fields?: Record<string, string | null>, options?: PostOptions): Promise<TokenResponse>
  /** A code that the owner (or another person) approved for the main project. */
  code(options?: CodeOptions): Promise<string>
  /** The tokens of a fresh authorization. */
  tokens(options?: CodeOptions): Promise<Tokens>
  refresh(refresh_token: string, fields?: Record<string, string>, client?: Client): Promise<TokenResponse>
  /** The status of a call that needs a working access token. */
  works(access_token: string): Promise<number>
}

export type Person = Role | 'outsider'

export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: string
  expires_in: number
  scope: string
}

export interface TokenResponse {
  status: number
  headers: Headers
  body: any // a test reads what it asserts
}

export interface PostOptions {
  client?: Client | null
  by?: 'basic' | 'post' | 'none'
  headers?: Record<string, string>
}

export interface CodeOptions {
  client?: Client
  who?: Person
  scope?: string
  project_ids?: string[]
  challenge?: string | null
  redirect_uri?: string
}

/** What an `error_description` may hold (RFC 6749, 4.1.2.1). */
export const DESCRIPTION = /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/
/** A refusal of a token endpoint. */
export const refused = (status: number, error: string) => ({
  status,
  body: { error, error_description: expect.stringMatching(DESCRIPTION) },
})

export const VERIFIER = randomBytes(32).toString('base64url')
export const CHALLENGE = challengeOf(VERIFIER)

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export async function createOAuthWorld(
  settings: Partial<Config> = {},
  options: WorldOptions = {},
): Promise<OAuthWorld> {
  const world = await createWorld({ oauth_requests_per_minute: 1_000_000, ...settings }, options)
  const newClient: OAuthWorld['newClient'] = async (fields = {}) => {
    const client = {
      id: newId('app'),
      client_id: newId('cli'),
      client_secret: newToken('svc_cs_'),
      redirect_uri: 'https://weather.example/callback',
    }
    await world.service.runtime.store.write(async (tx) => {
      await tx.insert(apps).values({
        id: client.id,
        client_id: client.client_id,
        client_type: 'confidential',
        display_name: 'Weather Widgets',
        description: 'Weather for websites.',
        homepage: 'https://weather.example',
        redirect_uris: [client.redirect_uri],
        scopes: [...SCOPES],
        status: 'approved',
        user_id: world.users.outsider,
        created_at: START,
        updated_at: START,
        ...fields,
      })
      if (fields.client_type !== 'public')
        await tx.insert(app_secrets).values({
          id: newId('key'),
          app_id: client.id,
          secret_hash: tokenHash(client.client_secret),
          hint: client.client_secret.slice(-4),
          created_at: START,
        })
    })
    return { ...client, redirect_uri: fields.redirect_uris?.[0] ?? client.redirect_uri }
  }
  const client = await newClient()
  const rival = await newClient({ display_name: 'Opening Hours' })
  const public_client = await newClient({ client_type: 'public', display_name: 'Pocket Weather' })
  const browsers = new Map<string, Promise<Browser>>()

  const post: OAuthWorld['post'] = async (path, fields, { client: as = client, by = 'basic', headers = {} } = {}) => {
    const sent = new Headers(headers)
    const body = new URLSearchParams(fields)
    if (as && by === 'basic') {
      const pair = `${encodeURIComponent(as.client_id)}:${encodeURIComponent(as.client_secret)}`
      sent.set('Authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
    }
    if (as && by !== 'basic') body.set('client_id', as.client_id)
    if (as && by === 'post') body.set('client_secret', as.client_secret)
    const response = await world.fetch(`/general/oauth/${path}`, { method: 'POST', headers: sent, body })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  const oauth: OAuthWorld = {
    ...world,
    client,
    rival,
    public_client,
    newClient,
    post,
    push(fields = {}, options = {}) {
      const asked = {
        response_type: 'code',
        redirect_uri: (options.client ?? client).redirect_uri,
        scope: 'newsletter:read',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        ...fields,
      }
      return post(
        'par',
        Object.fromEntries(Object.entries(asked).filter((field): field is [string, string] => field[1] !== null)),
        options,
      )
    },
    browser(who) {
      const today = `${who} ${Math.floor(world.clock.now() / 86_400_000)}` // tests let years pass, sessions end
      const known = browsers.get(today) ?? signIn(world, who)
      browsers.set(today, known)
      return known
    },
    async code({
      client: as = client,
      who = 'owner',
      scope = SCOPES.join(' '),
      project_ids = [world.project.public_id],
      challenge = CHALLENGE,
      redirect_uri = as.redirect_uri,
    } = {}) {
      const browser = await oauth.browser(who)
      const consent = await browser.open(
        authorizeUrl({
          client_id: as.client_id,
          redirect_uri,
          scope,
          ...(challenge ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
        }),
      )
      const back = await browser.decide(consent, 'approve', project_ids)
      return back.searchParams.get('code') ?? ''
    },
    async tokens(options = {}) {
      const as = options.client ?? client
      const { body } = await post(
        'token',
        {
          grant_type: 'authorization_code',
          code: await oauth.code(options),
          redirect_uri: options.redirect_uri ?? as.redirect_uri,
          ...(options.challenge === null ? {} : { code_verifier: VERIFIER }),
        },
        { client: as, by: as === public_client ? 'none' : 'basic' },
      )
      return body
    },
    refresh: (refresh_token, fields = {}, as = client) =>
      post(
        'token',
        { grant_type: 'refresh_token', refresh_token, ...fields },
        { client: as, by: as === public_client ? 'none' : 'basic' },
      ),
    works: async (access_token) =>
      (
        await world.fetch('/general/api/v1/token/authorized_by', {
          headers: { Authorization: `Bearer ${access_token}` },
        })
      ).status,
  }
  return oauth
}

/** The address an app sends its user to; null leaves a parameter out, an array repeats it. */
export function authorizeUrl(params: Record<string, string | string[] | null>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ response_type: 'code', ...params })) {
    for (const one of value === null ? [] : [value].flat()) query.append(name, one)
  }
  return `/general/oauth/authorize?${query.toString()}`
}

/** The address an app sends its user to with a request that it has pushed. */
export function pushedUrl({ client_id }: Client, request_uri: string, others: Record<string, string> = {}): string {
  return `/general/oauth/authorize?${new URLSearchParams({ client_id, request_uri, ...others }).toString()}`
}

/** A consent page as a browser reads it. */
export interface ConsentForm {
  status: number
  headers: Headers
  html: string
  hidden: Record<string, string>
  /** Boxes that can be ticked. */
  projects: { value: string; checked: boolean }[]
  decisions: string[]
}

export interface Browser {
  cookie: string
  /** GETs a page of the service; redirects are not followed. */
  open(path: string, headers?: Record<string, string>): Promise<ConsentForm>
  /** Where a request is sent to. */
  location(path: string, headers?: Record<string, string>): Promise<URL>
  send(fields: [string, string][], headers?: Record<string, string>): Promise<Response>
  /** Presses a button of the form, and answers where that leads. */
  decide(form: ConsentForm, decision: string, project_ids: string[]): Promise<URL>
}

/** A browser with a session of its own. */
export async function signIn(world: World, who: Person): Promise<Browser> {
  const response = await world.fetch('/user/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `${who}@example.com`, password: PASSWORD }),
  })
  return browserWith(world, response.headers.get('set-cookie')!.split(';')[0]!)
}

/** A browser that brings this cookie along; none for somebody who is not signed in. */
export function browserWith(world: World, cookie: string): Browser {
  const jar: Record<string, string> = cookie ? { Cookie: cookie } : {}
  const browser: Browser = {
    cookie,
    async open(path, headers = {}) {
      const response = await world.fetch(path, { headers: { Accept: 'text/html', ...jar, ...headers } })
      return readForm(response.status, response.headers, await response.text())
    },
    async location(path, headers = {}) {
      const response = await world.fetch(path, { headers: { ...jar, ...headers } })
      if (response.status !== 303) throw new Error(`${response.status}: ${await response.text()}`)
      return new URL(response.headers.get('location')!, world.url)
    },
    send: (fields, headers = {}) =>
      world.fetch('/general/oauth/authorize', {
        method: 'POST',
        headers: { Origin: world.url, ...jar, ...headers },
        body: new URLSearchParams(fields),
      }),
    async decide(form, decision, project_ids) {
      const response = await browser.send([
        ...Object.entries(form.hidden),
        ...project_ids.map((id): [string, string] => ['project_ids', id]),
        ['decision', decision],
      ])
      if (response.status !== 303) throw new Error(`${response.status}: ${await response.text()}`)
      return new URL(response.headers.get('location')!)
    },
  }
  return browser
}

function readForm(status: number, headers: Headers, html: string): ConsentForm {
  const tags = [...html.matchAll(/<(input|button)\b([^>]*)>/g)].map(
    ([, tag, attributes]) => ({ tag: tag!, ...attributesOf(attributes!) }) as Record<string, string>,
  )
  return {
    status,
    headers,
    html,
    hidden: Object.fromEntries(tags.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name!, value!])),
    projects: tags
      .filter(({ name }) => name === 'project_ids')
      .map(({ value, checked }) => ({ value: value!, checked: checked !== undefined })),
    decisions: tags.filter(({ name }) => name === 'decision').map(({ value }) => value!),
  }
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name!, unescapeHtml(value ?? '')]),
  )
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&quot;/g, '"')
    .replace(/&#x27;|&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}

/** Changes somebody's role in the main project, or takes them out of it. */
export async function setRole(world: World, who: Role, role: Role | null): Promise<void> {
  const where = and(eq(members.project_id, world.project.id), eq(members.user_id, world.users[who]))
  await world.service.runtime.store.write((tx) =>
    role === null ? tx.delete(members).where(where) : tx.update(members).set({ role }).where(where),
  )
}
