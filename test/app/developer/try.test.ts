import { createHash } from 'node:crypto'
import { expect, test } from 'bun:test'
import { appAnswers } from '../../support/developer-app.ts'
import { useTab } from '../../support/tab.ts'
import AppPage from '../../../static/app/developer/app.tsx'
import TryPage from '../../../static/app/developer/try.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
const TRY = 'POST /user/developer/apps/app_1/try'
const PAGE = 'https://masthead.example/portal/developer/apps/app_1/try'

function memory() {
  const kept = new Map<string, string>()
  const own = globalThis as { sessionStorage?: unknown }
  own.sessionStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  }
  tab.atEnd(() => delete own.sessionStorage)
}

test('A developer without a project and server gets both: the code comes back here and becomes a token.', async () => {
  memory()
  // Plain http on any name but loopback is no secure context.
  const { subtle } = crypto
  Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })
  tab.atEnd(() => Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true }))
  tab.data.projects = []
  Object.assign(tab.answers, appAnswers(), {
    'POST /project/create': { project: { id: 'p1' } },
    [TRY]: { token: { access_token: 'svc_at_1', expires_in: 3600, scope: 'newsletter:read' }, refusal: null },
  })
  await tab.open(AppPage, '/apps/app_1', { id: 'app_1' })
  await tab.press('Make a project to try with, and let it in')
  await tab.settled()
  expect(tab.sent('POST /project/create')).toEqual([{ name: 'To try with' }])
  const { pathname, searchParams: asked } = new URL(tab.left[0]!)
  expect([pathname, asked.get('redirect_uri'), asked.get('client_id')]).toEqual([
    ...['/general/oauth/authorize', PAGE, 'cid_1'],
  ])
  await tab.open(TryPage, `/apps/app_1/try?code=svc_ac_1&state=${asked.get('state')}`, { id: 'app_1' })
  await tab.settled()
  const [sent] = tab.sent(TRY)
  expect(sent.code).toBe('svc_ac_1')
  expect(createHash('sha256').update(sent.code_verifier).digest('base64url')).toBe(asked.get('code_challenge')!)
  expect(tab.texts('.code code').slice(0, 2)).toEqual(['svc_ac_1', 'svc_at_1'])
  expect(tab.text()).toContain('-H "Authorization: Bearer svc_at_1"')
  tab.answers['GET /general/api/v1/project/list'] = { projects: [{ id: 'p1' }] }
  await tab.press('Call it here')
  expect(tab.text()).toMatch(/Answer: 200 in \d+ ms.*"id": "p1"/s)
})

test('A code that was not asked for in this window is not exchanged.', async () => {
  memory()
  for (const query of ['code=svc_ac_1&state=x', 'error=access_denied&error_description=The+user+refused.']) {
    await tab.open(TryPage, `/apps/app_1/try?${query}`, { id: 'app_1' })
    expect(tab.text()).toContain('There is no token.')
    expect(tab.has('Begin again')).toBe(true)
  }
  expect(tab.text()).toContain('The user refused.')
  expect(tab.sent(TRY)).toEqual([])
})
