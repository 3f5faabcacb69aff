import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine, masthead, scratchFolder, start } from './cli/masthead.ts'
import { SAMPLE_DOCUMENT } from './support/campaigns.ts'

const scratch = scratchFolder()
afterAll(() => scratch.remove())
/** A new folder for temporary files. */
const newTmp = () => mkdtempSync(join(scratch.path, 'tmp-'))
/** The folders of fixtures in it. */
const foldersIn = (tmp: string) => readdirSync(tmp).filter((name) => name.startsWith('masthead-fixture-'))

const fixture = (args: string[] = [], env: Record<string, string> = {}) =>
  start(scratch.path, ['fixture', ...args], { TMPDIR: newTmp(), MASTHEAD_LOG_LEVEL: 'error', ...env })

describe('the fixture', () => {
  let child: ReturnType<typeof fixture>
  let told: any
  beforeAll(async () => {
    child = fixture([], { MASTHEAD_NEWSLETTER_READS_PER_MINUTE: '2' })
    told = JSON.parse(await firstLine(child))
  })
  afterAll(() => child.kill('SIGKILL'))

  const api = (path: string, authorization: string, body: unknown = {}) =>
    fetch(told.newsletter_root + path, {
      method: 'POST',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('The fixture prints every documented property of the fixture.', () => {
    const { base_url } = told
    expect(told).toMatchObject({
      api_root: `${base_url}/general/api/v1`,
      newsletter_root: `${base_url}/general/api/v1/newsletter`,
      portal_url: `${base_url}/portal`,
      mailbox_url: `${base_url}/general/sandbox/mailbox`,
    })
    expect(Object.keys(told.users)).toEqual(['owner', 'admin', 'editor', 'member', 'developer', 'reviewer', 'outsider'])
    expect(Object.keys(told.projects.main.api_keys)).toEqual(['owner', 'admin', 'editor', 'member'])
    expect(Object.keys(told.access_tokens)).toEqual([
      'read_only',
      'no_newsletter',
      'editor',
      'member',
      'second',
      'other_app',
    ])
    expect(told.projects.second).not.toHaveProperty('domain')
    for (const id of ['list_id', 'double_opt_in_list_id', 'connection_id']) expect(told.projects.main[id]).toBeInteger()
    expect(new URL(told.app.redirect_uri).origin).not.toBe(base_url)
  })

  test('The fixture serves its site, its apps and its refresh token.', async () => {
    expect(await (await fetch(told.projects.main.page_url)).text()).toContain('<h1>Harbour News</h1>')
    const bearer = { Authorization: `Bearer ${told.access_tokens.no_newsletter}`, 'Content-Type': 'application/json' }
    const post = async (path: string, body?: unknown) =>
      (await fetch(told.api_root + path, { method: 'POST', headers: bearer, body: JSON.stringify(body) })).json() as any
    const { data } = await post('/cms/post/list', { project_id: told.projects.main.id })
    expect([
      data.length,
      new Set(data.map((row: any) => row.status)).size,
      new Set(data.map((row: any) => row.category)).size,
      new Set(data.map((row: any) => row.author)).size,
      new Set(data.map((row: any) => row.word_count)).size,
    ]).toEqual([3, 2, 2, 2, 3])
    expect((await post('/directory/item/list', { project_id: told.projects.main.id })).data).toHaveLength(1)
    const { scripts } = await post(`/scripts/list?project_id=${told.projects.main.id}`)
    expect(scripts.map(({ script_id, id }: any) => [script_id, id])).toEqual(
      told.app.script_ids.map((script_id: number) => [script_id, null]),
    )
    const refreshed = await fetch(`${told.base_url}/general/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: told.refresh_token,
        client_id: told.app.client_id,
        client_secret: told.app.client_secret,
      }),
    })
    expect([refreshed.status, ((await refreshed.json()) as any).access_token]).toEqual([
      200,
      expect.stringMatching(/^svc_at_/),
    ])
  })

  test('The fixture signs its people in with their roles.', async () => {
    const login = await fetch(`${told.base_url}/user/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: told.users.reviewer.email, password: told.users.reviewer.password }),
    })
    expect(await login.json()).toMatchObject({ user: { id: told.users.reviewer.id, is_reviewer: true } })
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    expect(
      await (await fetch(`${told.base_url}/project/list`, { method: 'POST', headers: { cookie } })).json(),
    ).toEqual({ projects: [] })
  })

  test('The API keys and tokens of the fixture have their documented permissions.', async () => {
    const answer = async (authorization: string, body: object = {}) => {
      const response = await api('/no-such-operation', authorization, body)
      return [response.status, ((await response.json()) as any).error]
    }
    expect(await answer(told.projects.main.api_keys.member)).toEqual([
      404,
      expect.objectContaining({ code: 'NOT_FOUND' }),
    ])
    expect(await answer(`Bearer ${told.access_tokens.second}`)).toEqual([
      404,
      expect.objectContaining({ code: 'NOT_FOUND' }),
    ])
    expect(await answer(told.access_token)).toEqual([401, 'invalid_token'])
  })

  test('The fixture applies a rate limit from the environment.', async () => {
    const { owner } = told.projects.second.api_keys
    const read = async () => (await api('/lists/list', owner)).status
    expect([await read(), await read(), await read()]).toEqual([200, 200, 429])
  })

  test('The fixture starts with an empty mailbox and delivers a campaign to it.', async () => {
    expect(await (await fetch(told.mailbox_url)).json()).toEqual({ messages: [] })
    const { owner } = told.projects.main.api_keys
    const ok = async (path: string, body: object) => {
      const response = await fetch(told.newsletter_root + path, {
        method: 'POST',
        headers: { Authorization: owner, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
        body: JSON.stringify(body),
      })
      const { data, error } = (await response.json()) as any
      expect(error ?? null).toBeNull()
      return data
    }
    await ok('/contacts/upsert', {
      email: 'ada@example.com',
      list_ids: [told.projects.main.list_id],
      consent_text: 'Yes',
    })
    const { campaign } = await ok('/campaigns/create', {
      subject: 'Grüße vom Hafen',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: told.projects.main.list_id }] },
    })
    await ok('/campaigns/send', { campaign_id: campaign.id })
    const arrived = async (): Promise<any> => {
      for (;;) {
        const { messages } = (await (await fetch(told.mailbox_url)).json()) as any
        if (messages.length > 0) return messages[0]
        await Bun.sleep(10)
      }
    }
    expect(await arrived()).toMatchObject({
      to: 'ada@example.com',
      subject: 'Grüße vom Hafen',
      text: expect.stringContaining('tide table'),
    })
  })
})

test('The fixture writes only to its own folder and removes it at SIGTERM.', async () => {
  const [tmp, notMine] = [newTmp(), join(scratch.path, 'not-mine')]
  const child = fixture([], { TMPDIR: tmp, MASTHEAD_DATA_DIR: notMine })
  await firstLine(child)
  expect(foldersIn(tmp)).toHaveLength(1)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(foldersIn(tmp)).toEqual([])
  expect(existsSync(notMine)).toBe(false)
})

test('With --exit-with-stdin the fixture ends when its input closes.', async () => {
  const child = fixture(['--exit-with-stdin'])
  const { base_url } = JSON.parse(await firstLine(child))
  expect((await fetch(`${base_url}/readyz`)).status).toBe(200)
  void child.stdin.end()
  expect(await child.exited).toBe(0)
})

test('An unknown setting stops the fixture.', async () => {
  const tmp = newTmp()
  const { code, stdout, stderr } = await masthead(scratch.path, ['fixture'], {
    env: { TMPDIR: tmp, MASTHEAD_SANDBOXES: '1' },
  })
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: 'masthead: Unknown setting MASTHEAD_SANDBOXES. Did you mean MASTHEAD_SANDBOX?\n',
  })
  expect(foldersIn(tmp)).toEqual([])
})
