import { expect, test } from 'bun:test'
import { AppError } from '../../../src/errors.ts'
import { html } from '../../../src/http/core/markup.ts'
import { deadLinkPage, NO_BRANDING, noticePage, type PublicPage, publicPage } from '../../../src/http/public/page.ts'
import { pageRefusal } from '../../../src/http/public/page.ts'
import type { Runtime } from '../../../src/runtime.ts'

const PAGE: PublicPage = { status: 200, branding: NO_BRANDING, title: 'Leave', body: html`<p>Text</p>` }
const make = (changes: Partial<PublicPage> = {}) => publicPage({ ...PAGE, ...changes })
const policyOf = (response: Response) =>
  Object.fromEntries(
    response.headers
      .get('content-security-policy')!
      .split('; ')
      .map((part) => [part.split(' ')[0]!, part.split(' ').slice(1).join(' ')]),
  )

test('A page has the name of its project in the title and above it, or neither.', async () => {
  const plain = await make().text()
  expect(plain).toContain('<title>Leave</title>')
  expect(plain).not.toContain('<header>')
  const named = await make({ branding: { name: 'Harbour & Co', lang: 'de' } }).text()
  for (const part of [
    '<html lang="de">',
    '<title>Leave · Harbour &amp; Co</title>',
    '<header>Harbour &amp; Co</header>',
  ])
    expect(named).toContain(part)
  expect(await make({ branding: { name: '', lang: 'fa' } }).text()).toContain('<html lang="fa" dir="rtl">')
})

test('A page shows a logo from its own origin only, and none with a host that would end the policy.', async () => {
  const branding = (logo_url: string) => ({ name: 'Harbour', lang: 'en', logo_url })
  const shown = make({ branding: branding('https://pictures.example:8443/a.png') })
  expect(policyOf(shown)['img-src']).toBe("'self' https://pictures.example:8443")
  expect(await shown.text()).toContain('<header><img src="https://pictures.example:8443/a.png" alt="Harbour"></header>')
  expect(policyOf(make({ branding: branding('http://[::1]/a.png') }))['img-src']).toBe("'self' http://[::1]")
  expect(policyOf(make({ branding: branding("https://a'b.example/a.png") }))['img-src']).toBe("'self'")
  expect(policyOf(make({ branding: branding('no address') }))['img-src']).toBeUndefined()
})

test('A page names where its form may lead, runs no script, and loads the widget only when asked.', async () => {
  const plain = policyOf(make())
  expect([plain['form-action'], plain['script-src'], plain['worker-src']]).toEqual(["'self'", "'none'", undefined])
  expect(plain['style-src']).toMatch(/^'sha256-[\w+/=]{44}'$/)
  expect(policyOf(make({ leads_to: 'https://thanks.example/a?b' }))['form-action']).toBe(
    "'self' https://thanks.example",
  )
  expect(policyOf(make({ leads_to: '' }))['form-action']).toBe("'self'")
  const widget = policyOf(make({ with_widget: true }))
  expect([widget['script-src'], widget['worker-src'], widget['style-src']]).toEqual([
    "'self'",
    "'self' blob:",
    "'self' 'unsafe-inline'",
  ])
})

test('A page is kept from search engines and caches, unless it is for them.', async () => {
  for (const for_search of [false, true]) {
    const page = make({ for_search })
    expect(page.headers.get('x-robots-tag')).toBe(for_search ? null : 'noindex, nofollow')
    expect((await page.text()).includes('name="robots"')).toBe(!for_search)
  }
})

test('A brand color that cannot be seen on the paper gets a gray edge, in light and dark.', async () => {
  const colors = async (brand_color: string | null) =>
    /--brand:(#\w+);--on-brand:(#\w+);--edge-light:(#\w+);--edge-dark:(#\w+)/
      .exec(await make({ branding: { name: '', lang: 'en', brand_color } }).text())!
      .slice(1)
  expect(await colors(null)).toEqual(['#0b5a6e', '#ffffff', '#0b5a6e', '#a3a7ad'])
  expect(await colors('#FF0')).toEqual(['#ffff00', '#1f1f23', '#5c6066', '#ffff00'])
  expect(await colors('#101010')).toEqual(['#101010', '#ffffff', '#101010', '#a3a7ad'])
  // 3.03 and 2.95 times as bright as white paper: the least is 3.
  expect([(await colors('#949494'))[2], (await colors('#969696'))[2]]).toEqual(['#949494', '#5c6066'])
  expect(await colors('red;}')).toEqual(await colors(null))
})

test('A dead link, a notice and a refusal each say what they are, with their status.', async () => {
  const shown = async (response: Response) => [response.status, /<h1>(.*)<\/h1>/.exec(await response.text())![1]]
  const [gone, unknown] = [await shown(deadLinkPage(410)), await shown(deadLinkPage(404))]
  expect([gone[0], unknown[0], gone[1] === unknown[1]]).toEqual([410, 404, false])
  const notice = noticePage(200, NO_BRANDING, ['Done <it>', 'All & sundry.'])
  expect(await notice.text()).toContain('<h1>Done &lt;it&gt;</h1>\n<p role="status">All &amp; sundry.</p>')
  const runtime = { log: { error: () => undefined } } as unknown as Runtime
  const refuse = (error: unknown) =>
    pageRefusal(runtime, error, {
      request: new Request('http://masthead.example'),
      request_id: 'req_1',
    } as never) as Response
  expect(await shown(refuse(new AppError('NOT_FOUND', 'x')))).toEqual(unknown)
  const [status, failed] = await shown(refuse(new Error('x')))
  expect([status, failed === unknown[1]]).toEqual([500, false])
  const method = refuse(new AppError('METHOD_NOT_ALLOWED', 'x', { headers: { Allow: 'GET' } }))
  expect([method.status, method.headers.get('allow'), refuse(new Error('x')).headers.get('allow')]).toEqual([
    405,
    'GET',
    null,
  ])
})
