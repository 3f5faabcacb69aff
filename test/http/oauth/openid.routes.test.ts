import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { disableUser } from '../../../src/accounts/users.ts'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { identities, users } from '../../../src/store/tables/accounts.ts'
import { altered } from '../../support/altered.ts'
import { tokenFor } from '../../support/mailbox.ts'
import { codeAt } from '../../support/one-time-codes.ts'
import {
  CLIENT,
  type LyingProvider,
  type OpenIdTestProvider,
  startLyingProvider,
  startProvider,
} from '../../support/openid-providers.ts'
import { createWorld, PASSWORD, type World } from '../../support/world.ts'
import { cookieOf, post, signIn } from '../signed-in.ts'

const PATH = '/portal/openid'

/** A browser as far as it matters here: cookies by host, name and path, and redirects that are followed. */
class Browser {
  private readonly cookies = new Map<string, { value: string; path: string }>()

  async open(address: string): Promise<Response> {
    for (let hops = 0, url = new URL(address); hops < 12; hops++) {
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookiesFor(url) } })
      for (const line of answer.headers.getSetCookie()) this.keep(url, line)
      const location = answer.headers.get('location')
      if (location === null) return answer
      url = new URL(location, url)
    }
    throw new Error('Too many redirects.')
  }

  cookiesFor({ host, pathname }: URL): string {
    return [...this.cookies]
      .filter(([key, { path }]) => key.startsWith(`${host} `) && pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ')[1]}=${value}`)
      .join('; ')
  }

  forget(host: string): void {
    for (const key of this.cookies.keys()) if (key.startsWith(`${host} `)) this.cookies.delete(key)
  }

  private keep({ host }: URL, line: string): void {
    const [, name, value, path] = /^([^=]+)=([^;]*);.*\bpath=([^;]+)/i.exec(line)!
    if (value === '') this.cookies.delete(`${host} ${name}`)
    else this.cookies.set(`${host} ${name}`, { value: value!, path: path! })
  }
}

const settings = (issuer: string) => ({
  oidc_issuer: issuer,
  oidc_client_id: CLIENT.id,
  oidc_client_secret: CLIENT.secret,
  oidc_label: 'Harbour ID',
})
const whoIs = async (world: World, cookie: string) =>
  ((await (await world.fetch('/user/me', { headers: { cookie } })).json()) as { user?: { email: string } }).user?.email

describe('with a provider', () => {
  let world: World
  let provider: OpenIdTestProvider
  beforeAll(async () => {
    provider = await startProvider(() => `${world.url}${PATH}/callback`)
    world = await createWorld(settings(provider.issuer))
  })
  afterAll(() => provider.close())
  beforeEach(() => world.service.runtime.store.write((tx) => tx.delete(identities)))

  const goIn = async (person: OpenIdTestProvider['person'], back = '/portal/', browser = new Browser()) => {
    provider.person = person
    const answer = await browser.open(`${world.url}${PATH}?return=${encodeURIComponent(back)}`)
    return {
      status: answer.status,
      at: answer.url.slice(world.url.length),
      text: await answer.text(),
      email: await whoIs(world, browser.cookiesFor(new URL(world.url))),
      browser,
    }
  }
  const owner = { sub: 'o-1', email: 'Owner@Example.com', email_verified: true }

  test('The login page has a button that keeps the return path.', async () => {
    const page = await (await world.fetch('/portal/login?return=%2Fportal%2Fx')).text()
    expect(page).toContain('<a class="button" href="/portal/openid?return=%2Fportal%2Fx">Sign in with Harbour ID</a>')
  })

  test('A user with a verified known address is signed in and redirected back.', async () => {
    const wake = spyOn(world.service.runtime, 'wake')
    const there = await goIn(owner, '/user/me?x=1')
    expect(wake.mock.calls).toEqual([['mail']])
    wake.mockRestore()
    expect([there.status, there.at, there.email]).toEqual([200, '/user/me?x=1', 'owner@example.com'])
    expect(await world.service.runtime.store.db.select().from(identities)).toMatchObject([
      { issuer: provider.issuer, subject: 'o-1', user_id: world.users.owner },
    ])
    expect((await goIn(owner, '//evil.example')).at).toBe('/portal/')
  })

  test("The user is later recognized by the provider's subject, whatever the address.", async () => {
    await goIn(owner)
    expect((await goIn({ sub: 'o-1', email: 'editor@example.com', email_verified: true })).email).toBe(
      'owner@example.com',
    )
    expect((await goIn({ sub: 'o-1' })).email).toBe('owner@example.com')
  })

  test('An unverified address does not sign in.', async () => {
    for (const person of [
      { ...owner, email_verified: false },
      { sub: 'o-1', email: 'owner@example.com' },
      { sub: 'o-1' },
    ]) {
      const there = await goIn(person)
      expect([there.status, there.email]).toEqual([403, undefined])
      expect(there.text).toContain('has not verified')
    }
    expect(await world.service.runtime.store.db.select().from(identities)).toEqual([])
  })

  test('An address that now belongs to another person does not give access to its account.', async () => {
    await goIn(owner)
    const there = await goIn({ ...owner, sub: 'o-2' })
    expect([there.status, there.email]).toEqual([403, undefined])
  })

  test('An address that only folds to a known one is a different address.', async () => {
    const there = await goIn({ sub: 'k-1', email: 'mar\u212Aus@example.com', email_verified: true })
    expect([there.status, there.email]).toEqual([403, undefined])
    const cookie = await signIn(world, 'owner')
    await post(
      world,
      '/project/invitations/create',
      { project_id: world.project.public_id, email: 'markus@example.com', role: 'editor' },
      { cookie },
    )
    expect((await goIn({ sub: 'k-1', email: 'mar\u212Aus@example.com', email_verified: true })).status).toBe(403)
    const { store, clock } = world.service.runtime
    await store.write((tx) =>
      tx.insert(users).values({
        id: 'usr_markus',
        email: 'markus@example.com',
        email_key: 'markus@example.com',
        created_at: clock.now(),
        updated_at: clock.now(),
      }),
    )
    expect((await goIn({ sub: 'k-1', email: 'mar\u212Aus@example.com', email_verified: true })).status).toBe(403)
    expect((await goIn({ sub: 'k-2', email: 'markus@example.com', email_verified: true })).email).toBe(
      'markus@example.com',
    )
  })

  test('An unknown user is refused, and after an invitation gets an account without a password.', async () => {
    const nina = {
      sub: 'n-1',
      email: 'nina@example.com',
      email_verified: true,
      given_name: 'Nina',
      family_name: 'Hill',
    }
    const refused = await goIn(nina)
    expect([refused.status, refused.email, refused.text.includes('Ask for an invitation')]).toEqual([
      403,
      undefined,
      true,
    ])

    const cookie = await signIn(world, 'owner')
    await post(
      world,
      '/project/invitations/create',
      { project_id: world.project.public_id, email: 'nina@example.com', role: 'editor' },
      { cookie },
    )
    const address = `/portal/invitation?token=${await tokenFor(world, 'nina@example.com', 'invitation')}`
    const there = await goIn(nina, address)
    expect([there.status, there.at, there.email]).toEqual([200, address, 'nina@example.com'])
    expect(there.text).toContain('<button>Join Harbour News</button>')
    const user = (await world.service.runtime.store.db.select().from(users)).find(
      ({ email }) => email === 'nina@example.com',
    )
    expect(user).toMatchObject({ first_name: 'Nina', last_name: 'Hill', password_hash: null, admin: false })
    for (const password of ['', PASSWORD])
      expect((await post(world, '/user/login', { email: 'nina@example.com', password })).status).toBe(401)
    expect((await goIn(nina)).email).toBe('nina@example.com')
  })

  test('A disabled account cannot sign in.', async () => {
    const member = { sub: 'm-1', email: 'member@example.com', email_verified: true }
    expect((await goIn(member)).email).toBe('member@example.com')
    const { store, clock } = world.service.runtime
    await store.write((tx) => disableUser(tx, world.users.member, clock.now()))
    expect((await goIn(member)).status).toBe(403)
    expect((await goIn({ ...member, sub: 'm-2' })).status).toBe(403)
  })

  test('A user with one-time codes is asked for one after the provider, and led back with it.', async () => {
    const cookie = await signIn(world, 'administrator')
    const begun = (await (await post(world, '/user/totp/enrollment', {}, { cookie })).json()) as any
    const code = codeAt(begun.secret, world.clock.now())
    expect((await post(world, '/user/totp', { enrollment: begun.enrollment, code }, { cookie })).status).toBe(200)
    const there = await goIn({ sub: 'a-1', email: 'administrator@example.com', email_verified: true }, '/portal/x')
    expect([there.status, there.email]).toEqual([200, undefined])
    expect(there.text).toContain('name="return" value="/portal/x"')
    const ticket = /name="ticket" value="([^"]+)"/.exec(there.text)![1]!
    world.clock.advance(30_000)
    const answer = await world.fetch('/portal/login/code', {
      method: 'POST',
      headers: { Origin: world.url },
      body: new URLSearchParams({ ticket, code: codeAt(begun.secret, world.clock.now()), return: '/portal/x' }),
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/portal/x'])
    expect(await whoIs(world, cookieOf(answer))).toBe('administrator@example.com')
  })

  test('A user who cancels at the provider returns to the login page.', async () => {
    const there = await goIn(null, '/portal/x')
    expect([there.status, there.email]).toEqual([403, undefined])
    for (const shown of ['Harbour ID did not sign you in.', 'name="return" value="/portal/x"'])
      expect(there.text).toContain(shown)
  })

  test('Signing in ends the previous session of the browser.', async () => {
    const { browser, email } = await goIn({ sub: 'e-1', email: 'editor@example.com', email_verified: true })
    expect(email).toBe('editor@example.com')
    const before = browser.cookiesFor(new URL(world.url))
    browser.forget(new URL(provider.issuer).host)
    expect((await goIn(owner, '/portal/', browser)).email).toBe('owner@example.com')
    expect(await whoIs(world, before)).toBeUndefined()
  })
})

describe('with a dishonest provider or a forged callback', () => {
  let world: World
  let provider: LyingProvider
  beforeAll(async () => {
    provider = await startLyingProvider()
    world = await createWorld(settings(provider.issuer))
  })
  afterAll(() => provider.close())
  beforeEach(() => Object.assign(provider, { claims: {}, signature: 'right', userinfo: {}, asked: [] }))

  interface Begun {
    cookie: string
    state: string
    nonce: string
    challenge: string
  }
  const begin = async (): Promise<Begun & { line: string; address: URL }> => {
    const answer = await world.fetch(`${PATH}?return=%2Fportal%2Fx`)
    const address = new URL(answer.headers.get('location')!)
    const said = (name: string) => address.searchParams.get(name)!
    return {
      cookie: cookieOf(answer),
      line: answer.headers.get('set-cookie')!,
      address,
      state: said('state'),
      nonce: said('nonce'),
      challenge: said('code_challenge'),
    }
  }
  const comeBack = async ({ cookie, state }: { cookie: string; state: string }, more = '') => {
    const answer = await world.fetch(
      `${PATH}/callback?code=the-code&state=${encodeURIComponent(state)}&` +
        `iss=${encodeURIComponent(provider.issuer)}${more}`,
      { headers: { cookie } },
    )
    const session = answer.headers.getSetCookie().find((line) => line.startsWith('masthead_session='))
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      session,
      lines: answer.headers.getSetCookie(),
    }
  }
  /** The whole way, with the claims of an ID token over the right ones. */
  const goIn = async (claims: Record<string, unknown> = {}) => {
    const begun = await begin()
    provider.claims = { nonce: begun.nonce, ...claims }
    const { status, session } = await comeBack(begun)
    return [status, session !== undefined]
  }

  test('The request has state, nonce and a challenge, and its cookie is sent only to the callback.', async () => {
    const begun = await begin()
    expect(Object.fromEntries(begun.address.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: `${world.url}${PATH}/callback`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: begun.challenge,
    })
    expect(begun.line).toMatch(/^masthead_openid=[\w-]+; Path=\/portal\/openid; Max-Age=600; HttpOnly; SameSite=Lax$/)
    for (const secret of [begun.state, begun.nonce])
      expect(Buffer.from(begun.cookie.split('=')[1]!, 'base64url').toString('latin1')).not.toContain(secret)

    provider.claims = { nonce: begun.nonce }
    const { status, location, lines, session } = await comeBack(begun)
    expect([status, location]).toEqual([303, '/portal/x'])
    expect(session).toMatch(/^masthead_session=svc_ss_[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    expect(lines).toContainEqual(expect.stringMatching(/^masthead_openid=; Path=\/portal\/openid; Max-Age=0;/))
    const [{ authorization, body }] = provider.asked as [LyingProvider['asked'][0]]
    const [id, secret] = Buffer.from(authorization!.replace('Basic ', ''), 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    expect([id, secret]).toEqual([CLIENT.id, CLIENT.secret])
    expect(new Bun.CryptoHasher('sha256').update(body.get('code_verifier')!).digest('base64url')).toBe(begun.challenge)
  })

  test('An answer that this browser did not request is refused without a request to the provider.', async () => {
    const [mine, other] = [await begin(), await begin()]
    const wrong = [
      { ...mine, cookie: '' },
      { ...mine, cookie: other.cookie },
      { ...mine, state: other.state },
      { ...mine, state: '' },
      { ...mine, cookie: altered(mine.cookie) },
      { ...mine, cookie: 'masthead_openid=nonsense' },
    ]
    for (const attempt of wrong)
      expect(await comeBack(attempt)).toMatchObject({
        status: 400,
        session: undefined,
        // The attempt is over in this browser.
        lines: [expect.stringMatching(/^masthead_openid=; .*Max-Age=0;/)],
      })
    expect(await comeBack(mine, '&iss=https://evil.example')).toMatchObject({ status: 400 })
    expect(provider.asked).toEqual([])
  })

  test('An answer may take up to ten minutes.', async () => {
    const mine = await begin()
    provider.claims = { nonce: mine.nonce }
    world.clock.advance(599_999)
    expect(await comeBack(mine)).toMatchObject({ status: 303, session: expect.any(String) })
    world.clock.advance(1)
    expect(await comeBack(mine)).toMatchObject({ status: 400, session: undefined })
  })

  test('An ID token that is not for this sign-in is refused.', async () => {
    const past_s = Math.floor(Date.now() / 1000) - 3600
    for (const claims of [
      { nonce: 'another' },
      { nonce: undefined },
      { aud: 'another-client' },
      { aud: [CLIENT.id, 'another-client'], azp: 'another-client' },
      { iss: 'https://evil.example' },
      { iat: past_s - 60, exp: past_s },
      { sub: undefined },
      { sub: '' },
    ])
      expect(await goIn(claims)).toEqual([400, false])
    expect(await goIn()).toEqual([303, true])
  })

  test('An ID token that the provider did not sign is refused.', async () => {
    for (const signature of ['another key', 'none'] as const) {
      provider.signature = signature
      expect(await goIn()).toEqual([400, false])
    }
  })

  test('Claims missing in the ID token are fetched for the same subject.', async () => {
    const silent = { email: undefined, email_verified: undefined }
    provider.userinfo = { sub: 'subject-1', email: 'owner@example.com', email_verified: true }
    expect(await goIn(silent)).toEqual([303, true])
    provider.userinfo = { sub: 'subject-2', email: 'owner@example.com', email_verified: true }
    expect(await goIn(silent)).toEqual([400, false])
    expect(await goIn({ sub: 'subject-3', email: 'editor@example.com', email_verified: 'true' })).toEqual([403, false])
  })

  test('All cookies are Secure on https.', async () => {
    const secure = await createWorld({ ...settings(provider.issuer), base_url: 'https://masthead.example' })
    const begun = await secure.fetch(PATH)
    expect(begun.headers.get('set-cookie')).toMatch(
      /^__Host-masthead_openid=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
    const address = new URL(begun.headers.get('location')!)
    expect(address.searchParams.get('redirect_uri')).toBe('https://masthead.example/portal/openid/callback')
    provider.claims = { nonce: address.searchParams.get('nonce') }
    const answer = await secure.fetch(`${PATH}/callback?code=x&state=${address.searchParams.get('state')}`, {
      headers: { cookie: cookieOf(begun) },
    })
    expect(answer.headers.getSetCookie().map((line) => line.endsWith('; Secure'))).toEqual([true, true, true])
    await secure.close()
  })

  test('An unreachable provider is named in the page and asked again the next time.', async () => {
    const away = await createWorld(settings('http://127.0.0.1:1'))
    const answer = await away.fetch(`${PATH}?return=%2Fportal%2Fx`)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([503, null])
    const text = await answer.text()
    for (const shown of ['Harbour ID does not answer.', 'name="return" value="/portal/x"'])
      expect(text).toContain(shown)
    await away.close()
    provider.description = { issuer: 'https://evil.example' }
    const other = await createWorld(settings(provider.issuer))
    expect((await other.fetch(PATH)).status).toBe(503)
    provider.description = {}
    expect((await other.fetch(PATH)).status).toBe(303)
    await other.close()
  })

  test('Attempts are counted for the address, together with sign-ins by password.', async () => {
    const strict = await createWorld({ ...settings(provider.issuer), logins_per_minute: 2 })
    const byPassword = () => post(strict, '/user/login', { email: 'owner@example.com', password: PASSWORD })
    const answers = [await strict.fetch(PATH), await byPassword(), await strict.fetch(`${PATH}/callback`)]
    expect(answers.map(({ status }) => status)).toEqual([303, 200, 429])
    expect((await byPassword()).status).toBe(429)
    await strict.close()
  })
})

test('There is no button and no route without a provider.', async () => {
  const world = await createWorld()
  expect(await (await world.fetch('/portal/login')).text()).not.toContain('openid')
  expect([(await world.fetch(PATH)).status, (await world.fetch(`${PATH}/callback`)).status]).toEqual([404, 404])
  await world.close()
})

test('The settings are validated when the service starts.', () => {
  const read = (environment: Record<string, string>) => () => readConfig({ environment })
  for (const issuer of [
    'masthead.example',
    'http://masthead.example',
    'https://masthead.example/?x',
    'ftp://masthead.example',
  ])
    expect(read({ MASTHEAD_OIDC_ISSUER: issuer, MASTHEAD_OIDC_CLIENT_ID: 'x' })).toThrow(ConfigError)
  expect(read({ MASTHEAD_OIDC_ISSUER: 'https://id.example' })).toThrow('needs MASTHEAD_OIDC_CLIENT_ID')
  expect(
    read({ MASTHEAD_OIDC_ISSUER: 'https://id.example/realms/main', MASTHEAD_OIDC_CLIENT_ID: 'x' })().oidc_issuer,
  ).toBe('https://id.example/realms/main')
})
