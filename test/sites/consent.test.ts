import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { consentRuntime, heldBack } from '../../src/sites/consent.ts'
import { insertionsFor } from '../../src/sites/hosted.ts'
import type { ConnectedScript } from '../../src/scripts/connections.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../http/site-world.ts'
import { hasBrowser, openBrowser } from './browser.ts'

describe('code that is held back', () => {
  test.each([
    ['<script>a()</script>', '<script type="text/plain" data-consent="analytics">a()</script>'],
    ['<script async src="https://a.example/a.js?b=1&amp;c"></script>', '<script type="text/plain" data-consent="analytics" async="" src="https://a.example/a.js?b=1&amp;c"></script>'],
    ['<SCRIPT TYPE=module>if (a < b && "</p>") {}</SCRIPT>', '<script type="text/plain" data-consent="analytics" data-consent-type="module">if (a < b && "</p>") {}</script>'],
    ['<img src="https://a.example/pixel">', '<template data-consent="analytics"><img src="https://a.example/pixel"></template>'],
    ['<noscript><img src="x"></noscript>', '<template data-consent="analytics"><noscript><img src="x"></noscript></template>'],
    ['<style>a{}</style>text<div><script>b()</script></div>', '<template data-consent="analytics"><style>a{}</style>text<div><script>b()</script></div></template>'],
    ['<!-- Tag --> \n<script>a()</script>\n<script>b()</script>\n<!-- End -->', '<script type="text/plain" data-consent="analytics">a()</script><script type="text/plain" data-consent="analytics">b()</script>'],
    ['</template><img src="x"></body>', '<template data-consent="analytics"><img src="x"></template>'],
  ])('is none to a browser: %s', (html, expected) => {
    expect(heldBack({ html, type: 'Analytics' })).toBe(expected)
    expect(heldBack({ html, type: 'Analytics' })).toBe(expected)
  })
})

describe('the runtime', () => {
  const settings = { consent_banner: true, consent_message: '"><script>alert(1)</script>', consent_accept: '', consent_decline: '' }

  test('takes two kilobytes of a page', () => {
    const element = consentRuntime({ ...settings, consent_message: '' }, false)
    expect(Buffer.byteLength(element.replace(/ data-options="[^"]*"/, ''))).toBeLessThanOrEqual(2048)
  })

  test('cannot be left by the words of its owner', () => {
    const element = consentRuntime(settings, true)
    expect(element.match(/<\/?script/gi)).toEqual(['<script', '</script'])
    expect(element).toContain('&quot;gpc&quot;:true')
  })
})

test('a script that cannot be written costs neither the page nor the others', () => {
  const script = (html: string, more: Partial<ConnectedScript> = {}): ConnectedScript => (
    { connection_id: 1, script_id: 1, app_id: 'app_1', name: 'x', type: 'Analytics', placement: 'HTML Head', html, gated: false, ...more })
  const broken = { ...script('') }
  Object.defineProperty(broken, 'html', { get() { throw new Error('broken') } })
  const left_out: unknown[] = []
  const insertions = insertionsFor([script('<b>1'), broken, script('<b>2')], (found, error) => left_out.push([found, (error as Error).message]))
  expect(insertions).toEqual({ head: '<b>1<b>2', body_start: '', body_end: '' })
  expect(left_out).toEqual([[broken, 'broken']])
})

/** A browser beside other tests on a small machine. */
const PATIENCE_MS = 30_000

const ran = (name: string) => `(window.ran ||= []).push("${name}")`

describe.skipIf(!hasBrowser)('in a browser', () => {
  let world: SiteWorld
  let browser: Browser
  beforeAll(async () => {
    [world, browser] = await Promise.all([createSiteWorld(), openBrowser(`--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1`)])
    await world.edit('/project/pages/create', { path: '/', title: 'Home', html: '<!doctype html><title>Home</title><body><p>Home</p></body>' })
    await world.requireConsent(true)
    await world.connect(`<script>${ran('essential')}</script>`)
    await world.connect(`<script src="/slow.js"></script><script>${ran('after slow')}</script>`, { type: 'Analytics' })
    await world.connect(`<script>${ran('advertising')}</script>`, { type: 'Advertising', placement: 'HTML Body start' })
    await world.connect(`<p id="chat">Chat</p><div><script>${ran('chat')}</script></div>`, { type: 'Functional', placement: 'HTML Body end' })
    await world.connect(`<script type="module">${ran('module')}</script><script type="application/json" id="settings">{}</script>`, { type: 'Functional', placement: 'HTML Body end' })
  }, PATIENCE_MS)
  afterAll(() => browser.close())

  const address = (host: string, path = '/') => `http://${host}:${new URL(world.url).port}${path}`

  async function visitor(headers: Record<string, string> = {}) {
    const context = await browser.newContext({ extraHTTPHeaders: headers })
    // The slower script: those that stand behind it wait for it.
    const asked: string[] = []
    await context.route('**/slow.js', async (route) => {
      asked.push(route.request().url())
      await new Promise((resume) => { setTimeout(resume, 50) })
      await route.fulfill({ contentType: 'text/javascript', body: ran('slow') })
    })
    return { ...await open(context, address(DOMAIN)), asked }
  }

  async function open(context: BrowserContext, url: string) {
    const page = await context.newPage()
    await page.goto(url)
    return {
      page,
      ran: (): Promise<string> => page.evaluate(() => ((window as any).ran ?? []).join(', ')),
      runs: (name: string) => page.waitForFunction((wanted) => (window as any).ran?.includes(wanted), name),
      again: async () => open(context, url),
      consent: (call: string): Promise<any> => page.evaluate(`window.masthead.consent.${call}`),
    }
  }

  test('nothing but the essential runs, until the visitor agrees; then all of it, in order, without a new page', async () => {
    const visit = await visitor()
    expect(await visit.ran()).toBe('essential')
    expect(await visit.page.locator('#chat').count()).toBe(0)
    expect(visit.asked).toEqual([])
    await visit.page.evaluate(() => { (window as any).same = true })
    await visit.page.getByRole('region', { name: 'Consent' }).getByRole('button', { name: 'Accept' }).click()
    await visit.runs('module')
    expect(await visit.ran()).toBe('essential, slow, after slow, advertising, chat, module')
    expect(await visit.page.locator('#chat').isVisible()).toBe(true)
    expect(await visit.page.locator('script#settings[type="application/json"]').count()).toBe(1)
    expect(await visit.page.evaluate(() => (window as any).same)).toBe(true)
    expect(await visit.page.getByRole('region', { name: 'Consent' }).count()).toBe(0)

    const next = await visit.again()
    await next.runs('module')
    expect(await next.ran()).toBe('essential, slow, after slow, advertising, chat, module')
    expect(await next.page.getByRole('region', { name: 'Consent' }).count()).toBe(0)

    await Promise.all([next.page.waitForEvent('load'), next.consent('withdraw()')])
    expect(await next.ran()).toBe('essential')
    expect(await next.page.getByRole('region', { name: 'Consent' }).isVisible()).toBe(true)
  }, PATIENCE_MS)

  test('who declines is not asked again', async () => {
    const visit = await visitor()
    await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Tab')
    expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Decline')
    await visit.page.keyboard.press('Enter')
    expect(await visit.consent('get()')).toEqual({ decided: true, functional: false, analytics: false, advertising: false })
    const next = await visit.again()
    expect(await next.ran()).toBe('essential')
    expect(await next.page.getByRole('region', { name: 'Consent' }).count()).toBe(0)
  }, PATIENCE_MS)

  test('Global Privacy Control denies advertising', async () => {
    const visit = await visitor({ 'Sec-GPC': '1' })
    await visit.consent('accept()')
    await visit.runs('module')
    expect(await visit.ran()).toBe('essential, slow, after slow, chat, module')
    expect(await visit.consent('get()')).toEqual({ decided: true, functional: true, analytics: true, advertising: false })
  }, PATIENCE_MS)

  test('each kind can be chosen, and taken back', async () => {
    const visit = await visitor()
    await visit.page.evaluate(() => document.addEventListener('masthead.consent', (event) => { (window as any).told = (event as CustomEvent).detail }))
    await visit.consent('set({ functional: true })')
    await visit.runs('module')
    expect(await visit.ran()).toBe('essential, chat, module')
    expect(await visit.page.evaluate(() => (window as any).told)).toEqual({ decided: true, functional: true, analytics: false, advertising: false })
    await visit.consent('set({ advertising: true })')
    await visit.runs('advertising')
    await Promise.all([visit.page.waitForEvent('load'), visit.consent('set({ functional: false })')])
    expect(await visit.ran()).toBe('essential, advertising')
  }, PATIENCE_MS)

  test('the banner has its owner\'s words, or is left to somebody else', async () => {
    const update = (settings: object) => world.as('administrator', '/project/site-settings/update', settings as Record<string, unknown>)
    expect((await update({ consent_message: 'Dürfen wir zählen? <b>', consent_accept: 'Ja', consent_decline: 'Nein' })).status).toBe(200)
    const german = await visitor()
    expect(await german.page.getByRole('region').innerText()).toMatch(/^Dürfen wir zählen\? <b>\s*Ja\s*Nein$/)
    await update({ consent_banner: false })
    const none = await visitor()
    expect(await none.page.getByRole('region').count()).toBe(0)
    await none.consent('show()')
    expect(await none.page.getByRole('region').count()).toBe(1)
    await update({ consent_banner: true, consent_message: '', consent_accept: '', consent_decline: '' })
  }, PATIENCE_MS)

  test('a sandboxed page works as well, for as long as it is open', async () => {
    const context = await browser.newContext()
    await context.route('**/slow.js', (route) => route.fulfill({ contentType: 'text/javascript', body: ran('slow') }))
    const visit = await open(context, `${world.url}/sites/harbour-news/`)
    await visit.page.getByRole('button', { name: 'Accept' }).click()
    await visit.runs('module')
    expect(await visit.page.evaluate(() => window.origin)).toBe('null')
    expect(await visit.ran()).toBe('essential, slow, after slow, advertising, chat, module')
    expect(await (await visit.again()).ran()).toBe('essential')
  }, PATIENCE_MS)
})
