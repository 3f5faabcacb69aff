import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { consentPreview, consentRuntime, gatedMarkup } from '../../src/sites/visitor-consent.ts'
import { insertionsFor } from '../../src/sites/insertions.ts'
import type { ConnectedScript } from '../../src/scripts/connections.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../http/site-world.ts'
import { hasBrowser, openBrowser } from './browser.ts'

test.each([
  ['<script>a()</script>', '<script type="text/plain" data-consent="analytics">a()</script>'],
  [
    '<script async src="https://a.example/a.js?b=1&amp;c"></script>',
    '<script type="text/plain" data-consent="analytics" async="" src="https://a.example/a.js?b=1&amp;c"></script>',
  ],
  [
    '<SCRIPT TYPE=module>if (a < b && "</p>") {}</SCRIPT>',
    '<script type="text/plain" data-consent="analytics" data-consent-type="module">if (a < b && "</p>") {}</script>',
  ],
  [
    '<img src="https://a.example/pixel">',
    '<template data-consent="analytics"><img src="https://a.example/pixel"></template>',
  ],
  [
    '<noscript><img src="x"></noscript>',
    '<template data-consent="analytics"><noscript><img src="x"></noscript></template>',
  ],
  [
    '<style>a{}</style>text<div><script>b()</script></div>',
    '<template data-consent="analytics"><style>a{}</style>text<div><script>b()</script></div></template>',
  ],
  [
    '<!-- Tag --> \n<script>a()</script>\n<script>b()</script>\n<!-- End -->',
    '<script type="text/plain" data-consent="analytics">a()</script><script type="text/plain" ' +
      'data-consent="analytics">b()</script>',
  ],
  [
    '<img src="a"><script>a()</script><img src="b"> <!-- c --><script type="text/javascript">b()</script>',
    '<template data-consent="analytics"><img src="a"></template>' +
      '<script type="text/plain" data-consent="analytics">a()</script>' +
      '<template data-consent="analytics"><img src="b"> <!-- c --></template>' +
      '<script type="text/plain" data-consent="analytics" data-consent-type="text/javascript">b()</script>',
  ],
  ['</template><img src="x"></body>', '<template data-consent="analytics"><img src="x"></template>'],
])('The markup of a script without consent is none to a browser: %s.', (html, expected) => {
  const call = "<script>window['masthead.consent']?.()</script>"
  for (const type of ['Analytics', 'Advertising', 'Analytics'] as const)
    expect(gatedMarkup({ html, type })).toBe(expected.replaceAll('"analytics"', `"${type.toLowerCase()}"`) + call)
})

test('The markup of a script without consent is empty for code without effect.', () => {
  expect(gatedMarkup({ html: ' <!-- Tag --> ', type: 'Analytics' })).toBe('')
})

describe('the runtime', () => {
  const settings = {
    consent_banner: true,
    consent_message: '"><script>alert(1)</script>',
    consent_accept: '',
    consent_decline: '',
    consent_privacy_url: '',
    consent_words: {},
    proof_of_work: false,
  }
  const waiting = (...kinds: string[]) => new Map(kinds.map((kind) => [kind, ['Counter']]))
  const look = { locale: null, brand_color: '' }
  const asked = { scripts: waiting('analytics'), gpc: true, look }

  test('The consent runtime has at most four kilobytes.', () => {
    const [, script] = consentRuntime({ ...settings, consent_message: '' }, asked).split('</template>')
    expect(Buffer.byteLength(script!)).toBeLessThanOrEqual(4096)
  })

  test('The consent runtime escapes the texts of its owner.', () => {
    const element = consentRuntime(settings, asked)
    expect(element.match(/<\/?(?:script|template|section)/gi)).toEqual([
      '<template',
      '<section',
      '</section',
      '</template',
      '<script',
      '</script',
    ])
    expect(element).toContain('&quot;&gt;&lt;script&gt;alert(1)')
  })

  test('The banner names the kinds that scripts have, the needed before the unneeded.', () => {
    const named = (...kinds: string[]) =>
      [...consentRuntime(settings, { ...asked, scripts: waiting(...kinds) }).matchAll(/name="(\w+)"/g)].map(
        ([, kind]) => kind,
      )
    expect(named('advertising', 'functional', 'analytics')).toEqual(['functional', 'analytics', 'advertising'])
    expect(named('advertising')).toEqual(['advertising'])
  })

  test.each([
    [['analytics'], true],
    [['advertising'], true],
    [['functional', 'advertising'], true],
    [['functional'], false],
  ])('The runtime tells the measuring services what was chosen where scripts are %p: %p.', (kinds, told) => {
    const [options] = consentRuntime(settings, { ...asked, scripts: waiting(...kinds) }).split('>', 1)
    expect(options!.includes(' data-mode="1"')).toBe(told)
  })

  test('The preview shows the choices of the kinds in use, or of all before a script is connected.', () => {
    const shown = (...kinds: string[]) => {
      const html = consentPreview(settings, { scripts: waiting(...kinds), look: { ...look, locale: 'de' } })
      expect(html).toStartWith('<!doctype html><html lang="de" dir="ltr"><head>')
      expect(html).toContain('<details open>')
      return [...html.matchAll(/name="(\w+)"/g)].map(([, kind]) => kind)
    }
    expect(shown('analytics')).toEqual(['analytics'])
    expect(shown()).toEqual(['functional', 'analytics', 'advertising'])
  })

  test('The banner has the texts and the address of its owner, and the usual words without them.', () => {
    const own = { consent_message: 'Ask & tell', consent_accept: 'Sure', consent_decline: 'Nope' }
    const text = consentRuntime({ ...settings, ...own, consent_privacy_url: '/privacy?a&b' }, asked)
    for (const part of ['Ask &amp; tell', '>Sure<', '>Nope<', '<a href="/privacy?a&amp;b"'])
      expect(text).toContain(part)
    const usual = consentRuntime({ ...settings, consent_message: '' }, asked)
    for (const part of ['>Accept<', '>Decline<']) expect(usual).toContain(part)
    for (const part of ['Ask', '<a href']) expect(usual).not.toContain(part)
  })

  test('The banner says in the language of the project what the owner did not write.', () => {
    const own = { ...settings, consent_words: { save: 'Merken', choose: '', analytics: '' } }
    const german = consentRuntime(own, { ...asked, look: { ...look, locale: 'de-AT' } })
    for (const part of [
      '<section aria-label="Einwilligung" lang="de" dir="ltr">',
      '>Ablehnen<',
      '>Merken<',
      '>Auswählen<',
      '>Statistik<',
      'Zählt ',
    ])
      expect(german).toContain(part)
    expect(consentRuntime(settings, { ...asked, look: { ...look, locale: 'ar' } })).toContain(
      '<button class="opener" lang="ar" dir="rtl">',
    )
  })
})

test('A failing script is left out, and the page and other scripts stay.', () => {
  const script = (html: string, more: Partial<ConnectedScript> = {}): ConnectedScript => ({
    connection_id: 1,
    script_id: 1,
    app_id: 'app_1',
    app_name: 'Counter',
    name: 'x',
    type: 'Analytics',
    placement: 'HTML Head',
    html,
    gated: false,
    ...more,
  })
  const broken = { ...script('') }
  Object.defineProperty(broken, 'html', {
    get() {
      throw new Error('broken')
    },
  })
  const left_out: unknown[] = []
  const insertions = insertionsFor([script('<b>1'), broken, script('<b>2')], (found, error) =>
    left_out.push([found, (error as Error).message]),
  )
  expect(insertions).toEqual({ head: '<b>1<b>2', body_start: '', body_end: '' })
  expect(left_out).toEqual([[broken, 'broken']])
})

const ran = (name: string) => `(window.ran ||= []).push("${name}")`

describe.skipIf(!hasBrowser)('in a browser', () => {
  let world: SiteWorld
  let browser: Browser
  beforeAll(async () => {
    ;[world, browser] = await Promise.all([createSiteWorld(), openBrowser()])
    await world.edit('/project/pages/create', {
      path: '/',
      title: 'Home',
      html: '<!doctype html><title>Home</title><body><p>Home</p></body>',
    })
    await world.requireConsent(true)
    await world.connect(`<script>${ran('essential')}</script>`)
    await world.connect(`<script src="/slow.js"></script><script>${ran('after slow')}</script>`, { type: 'Analytics' })
    await world.connect(`<script>${ran('advertising')}</script>`, { type: 'Advertising', placement: 'HTML Body start' })
    await world.connect(`<p id="chat">Chat</p><div><script>${ran('chat')}</script></div>`, {
      type: 'Functional',
      placement: 'HTML Body end',
    })
    await world.connect(
      `<script type="module">${ran('module')}</script><script type="application/json" id="settings">{}</script>`,
      { type: 'Functional', placement: 'HTML Body end' },
    )
  })
  afterAll(() => browser.close())

  const address = (host: string, path = '/') => `http://${host}:${new URL(world.url).port}${path}`

  /** The tab of all visitors: a new one takes most of the time of a test. */
  let shared: Page
  let asked: string[]

  /** Somebody who was never here before. */
  async function visitor(headers: Record<string, string> = {}) {
    asked = []
    shared ??= await tabWithSlowScript()
    await shared.goto(address(DOMAIN, '/no-such-page'))
    await shared.evaluate(() => localStorage.clear())
    await shared.setExtraHTTPHeaders(headers)
    return { ...(await open(shared, address(DOMAIN))), asked }
  }

  /** The slower script: those that stand behind it wait for it. */
  async function tabWithSlowScript(): Promise<Page> {
    const page = await browser.newPage()
    await page.route('**/slow.js', async (route) => {
      asked.push(route.request().url())
      await new Promise((resume) => {
        setTimeout(resume, 50)
      })
      await route.fulfill({ contentType: 'text/javascript', body: ran('slow') })
    })
    return page
  }

  async function open(page: Page, url: string) {
    await page.goto(url)
    return {
      page,
      ran: (): Promise<string> => page.evaluate(() => ((window as any).ran ?? []).join(', ')),
      runs: (name: string) => page.waitForFunction((wanted) => (window as any).ran?.includes(wanted), name),
      again: async () => open(page, url),
      consent: (call: string): Promise<any> => page.evaluate(`window.masthead.consent.${call}`),
    }
  }

  test('Only the essential runs until the visitor agrees; then all runs in order, in the same page.', async () => {
    const visit = await visitor()
    expect(await visit.ran()).toBe('essential')
    expect(await visit.page.locator('#chat').count()).toBe(0)
    expect(visit.asked).toEqual([])
    await visit.page.evaluate(() => {
      ;(window as any).same = true
    })
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
  })

  test('A visitor chooses kinds, opens the banner again and withdraws; Consent Mode tells Google’s tags.', async () => {
    const visit = await visitor()
    const told = () =>
      visit.page.evaluate(() =>
        (window as any).dataLayer.map(([, command, state]: any) =>
          [
            ...[command, state.analytics_storage, state.ad_storage, state.ad_user_data, state.ad_personalization],
            ...[state.functionality_storage, state.personalization_storage, state.security_storage],
          ].join(' '),
        ),
      )
    const banner = visit.page.getByRole('region', { name: 'Consent' })
    await banner.getByText('Choose').click()
    await banner.getByRole('checkbox', { name: /^Analytics Counts visits/ }).check()
    await banner.getByRole('button', { name: 'Save the choice' }).click()
    await visit.runs('after slow')
    expect(await visit.ran()).toBe('essential, slow, after slow')
    const no = 'denied denied denied denied denied'
    expect(await told()).toEqual([`default denied ${no} granted`, `update granted ${no} granted`])

    await visit.page.getByRole('button', { name: 'Privacy choices' }).click()
    expect(await banner.getByRole('checkbox', { checked: true }).count()).toBe(1)
    const reload = visit.page.waitForEvent('load')
    await banner.getByRole('button', { name: 'Decline' }).click()
    await reload
    expect(await visit.ran()).toBe('essential')
    expect(await told()).toEqual([`default denied ${no} granted`])
    await visit.page.getByRole('button', { name: 'Privacy choices' }).waitFor()
  })

  test('A visitor who declines is not asked again.', async () => {
    const visit = await visitor()
    await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Tab')
    expect(await visit.page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)).toBe(
      'Decline',
    )
    await visit.page.keyboard.press('Enter')
    expect(await visit.consent('get()')).toEqual({
      decided: true,
      functional: false,
      analytics: false,
      advertising: false,
    })
    const next = await visit.again()
    expect(await next.ran()).toBe('essential')
    expect(await next.page.getByRole('region', { name: 'Consent' }).count()).toBe(0)
  })

  test('Escape in the question refuses, and in choices that were opened again it changes nothing.', async () => {
    const visit = await visitor()
    await visit.page.getByRole('button', { name: 'Accept' }).focus()
    await visit.page.keyboard.press('Escape')
    expect(await visit.consent('get()')).toMatchObject({ decided: true, analytics: false })
    await visit.consent('set({ functional: true })')
    await visit.page.getByRole('button', { name: 'Privacy choices' }).click()
    await visit.page.keyboard.press('Escape')
    expect(await visit.consent('get()')).toMatchObject({ functional: true })
    expect(await visit.page.getByRole('region', { name: 'Consent' }).count()).toBe(0)
  })

  test('Global Privacy Control denies advertising.', async () => {
    const visit = await visitor({ 'Sec-GPC': '1' })
    await visit.consent('accept()')
    await visit.runs('module')
    expect(await visit.ran()).toBe('essential, slow, after slow, chat, module')
    expect(await visit.consent('get()')).toEqual({
      decided: true,
      functional: true,
      analytics: true,
      advertising: false,
    })
  })

  test('Each kind can be chosen, and taken back.', async () => {
    const visit = await visitor()
    await visit.page.evaluate(() =>
      document.addEventListener('masthead.consent', (event) => {
        ;(window as any).told = (event as CustomEvent).detail
      }),
    )
    await visit.consent('set({ functional: true })')
    await visit.runs('module')
    expect(await visit.ran()).toBe('essential, chat, module')
    expect(await visit.page.evaluate(() => (window as any).told)).toEqual({
      decided: true,
      functional: true,
      analytics: false,
      advertising: false,
    })
    await visit.consent('set({ advertising: true })')
    await visit.runs('advertising')
    await Promise.all([visit.page.waitForEvent('load'), visit.consent('set({ functional: false })')])
    expect(await visit.ran()).toBe('essential, advertising')
  })

  test("The banner has its owner's words, or is left to somebody else.", async () => {
    const update = (settings: object) =>
      world.as('administrator', '/project/site-settings/update', settings as Record<string, unknown>)
    const german_words = {
      consent_message: 'Dürfen wir zählen? <b>',
      consent_accept: 'Ja',
      consent_decline: 'Nein',
      consent_privacy_url: '/datenschutz',
      consent_words: { choose: 'Wählen', privacy: 'Datenschutz', analytics: 'Statistik' },
    }
    expect((await update(german_words)).status).toBe(200)
    const german = await visitor()
    const banner = german.page.getByRole('region')
    expect(await banner.innerText()).toMatch(/^Dürfen wir zählen\? <b>\s*Datenschutz\s*Ja\s*Nein\s*Wählen$/)
    expect(await banner.getByRole('link').getAttribute('href')).toBe('/datenschutz')
    await banner.getByText('Wählen').click()
    expect(await banner.getByRole('checkbox', { name: /^Statistik / }).isChecked()).toBe(false)
    expect((await update({ consent_privacy_url: 'javascript:alert(1)' })).status).toBe(400)
    await update({ consent_banner: false })
    const none = await visitor()
    expect(await none.page.getByRole('region').count()).toBe(0)
    await none.consent('show()')
    expect(await none.page.getByRole('region').count()).toBe(1)
    expect(await none.page.getByRole('button', { name: 'Privacy choices' }).count()).toBe(0)
    await update({
      consent_banner: true,
      consent_message: '',
      consent_accept: '',
      consent_decline: '',
      consent_privacy_url: '',
      consent_words: {},
    })
  })

  test('A sandboxed page works as well, for as long as it is open.', async () => {
    const context = await browser.newContext()
    await context.route('**/slow.js', (route) => route.fulfill({ contentType: 'text/javascript', body: ran('slow') }))
    const visit = await open(await context.newPage(), `${world.url}/sites/harbour-news/`)
    await visit.page.getByRole('button', { name: 'Accept' }).click()
    await visit.runs('module')
    expect(await visit.page.evaluate(() => window.origin)).toBe('null')
    expect(await visit.ran()).toBe('essential, slow, after slow, advertising, chat, module')
    expect(await (await visit.again()).ran()).toBe('essential')
  })

  describe('code that writes into the page and waits for its events', () => {
    let other: SiteWorld
    let url: string
    const files: Record<string, string> = {
      '/ad.js':
        `${ran('ad')}; document.write('<div id="ad">'); document.write('<script src="/more.js"><\\/script>` +
        `<script>ran.push("behind more")<\\/script>'); document.write('</div>')`,
      '/more.js':
        `${ran('more')}; document.write('<i id="more"></i>'); window.addEventListener('load', () => ` +
        `ran.push('more: load'))`,
      '/async.js':
        `if (location.hash) { document.write('<p id="async">'); setTimeout(() => { document.write('<p ` +
        `id="async">'); ${ran('async')} }) }`,
    }

    beforeAll(async () => {
      other = await createSiteWorld()
      url = `http://${DOMAIN}:${new URL(other.url).port}/`
      const held = (code: string, placement: ConnectedScript['placement'] = 'HTML Body end') =>
        other.connect(code, { type: 'Analytics', placement })
      await other.edit('/project/pages/create', {
        path: '/',
        title: 'Home',
        html: '<!doctype html><title>Home</title><body><p id="home">Home</p></body>',
      })
      await other.connect(`<script>
        window.ran = []
        window.onload = () => ran.push('own: onload')
        document.addEventListener('DOMContentLoaded', () => ran.push('own: DOMContentLoaded'))
      </script>`)
      await held(`<script>document.write('<p id="head">x</p>')</script>`, 'HTML Head')
      await held(
        `<script>document.write('<p id="second">x</p>')</script><div id="chat"><script>${ran('chat')}</script>` +
          `</div><noscript><img src="/pixel.png"></noscript>`,
        'HTML Head',
      )
      await held(
        `<script>
        document.open()
        document.write('<p id="text">x</p>', '<b id="b"></b>')
        if (document.getElementById('text')) ${ran('written')}
        document.write('<scr')
        document.writeln('ipt>ran.push("nested"); document.write("<i id=nested></i>")<\\/script>');
        ${ran('behind nested')}
        document.write('<ul id="list">')
        document.write('</ul>')
        document.close()
      </script>`,
        'HTML Body start',
      )
      await held(
        `<script src="/ad.js" onload="${ran('ad: onload').replaceAll('"', "'")}"></script>` +
          `<script src="/missing.js"></script><script>${ran('behind ad')}</script>`,
      )
      await held(
        `<script>document.addEventListener('DOMContentLoaded', () => { ${ran('faulty listener')}; throw new ` +
          `Error('listener') }); ${ran('faulty')}; throw new Error('script')</script>`,
      )
      await held(`<script>
        const on = (name, target, type, options) => target.addEventListener(type, function (event) {
          const isOwn = this === target && event instanceof Event && event.type === type
          if (document.readyState === 'complete' || type === parsed) ran.push(name + ' ' + isOwn)
        }, options)
        const parsed = 'DOMContentLoaded'
        on('pageshow', window, 'pageshow')
        on('load', window, 'load')
        on('readystatechange', document, 'readystatechange')
        on('window: parsed', window, parsed)
        on('document: parsed', document, parsed, { once: true })
        const twice = () => ran.push('added twice')
        addEventListener('load', twice)
        addEventListener('load', twice)
        const removed = () => ran.push('removed')
        window.addEventListener('load', removed)
        window.removeEventListener('load', removed)
        const first = () => {
          document.removeEventListener(parsed, first)
          window.removeEventListener('load', first)
          ran.push('whichever is first')
        }
        document.addEventListener(parsed, first)
        window.addEventListener('load', first)
        const before = window.onload
        window.onload = function (event) {
          if (before) before.call(this, event)
          ran.push('onload ' + (this === window && event.type === 'load'))
        }
        document.onreadystatechange = () => { if (document.readyState === 'complete') ran.push('onreadystatechange') }
      </script>`)
      await held(
        `<script>if (location.hash) setTimeout(() => { document.open(); document.write('late'); ` +
          `document.writeln('late'); document.close(); ${ran('late')} })</script>`,
      )
      await held('<script async src="/async.js"></script>')
      await held(
        `<script type="module">document.addEventListener('DOMContentLoaded', () => ` +
          `${ran('module: parsed')})</script><script nomodule src="/never.js"></script>` +
          `<script type="text/x-template" src="/never.js"></script>`,
      )
      await held(`<script>${ran('last')}</script>`)
    })
    beforeEach(() => other.requireConsent(true))

    async function visit(context: BrowserContext, address = url) {
      const page = await context.newPage()
      const said: string[] = []
      page.on('console', (message) => said.push(message.text()))
      await page.goto(address)
      return {
        page,
        said,
        ran: (): Promise<string[]> => page.evaluate(() => (window as any).ran),
        runs: (name: string) => page.waitForFunction((wanted) => (window as any).ran.includes(wanted), name),
        /** The elements of the page, each with its parent. */
        body: (): Promise<string> =>
          page.evaluate(() =>
            [...document.querySelectorAll('body [id]')]
              .map((element) => `${element.parentElement!.id}/${element.id}`)
              .join(' '),
          ),
      }
    }

    async function visitor() {
      const context = await browser.newContext()
      await context.route(/\.(?:js|png)$/, async (route) => {
        const body = files[new URL(route.request().url()).pathname]
        await (body === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body }))
      })
      return context
    }

    const BODY = '/head /second /chat /text /b /nested /list /home /ad ad/more'
    const SCRIPTS = [
      'chat',
      'written',
      'nested',
      'behind nested',
      'ad',
      'ad: onload',
      'more',
      'behind more',
      'behind ad',
      'faulty',
      'last',
    ]
    const PARSED = [
      'faulty listener',
      'document: parsed true',
      'whichever is first',
      'module: parsed',
      'window: parsed true',
    ]

    test('Code that writes into the page runs in its place where the visitor agreed before.', async () => {
      await other.requireConsent(false)
      const context = await visitor()
      const ungated = await visit(context)
      await ungated.runs('pageshow true')
      expect(await ungated.body()).toBe(BODY)
      expect(await ungated.ran()).toEqual([
        ...SCRIPTS,
        'own: DOMContentLoaded',
        ...PARSED,
        'readystatechange true',
        'onreadystatechange',
        'own: onload',
        'onload true',
        'more: load',
        'load true',
        'added twice',
        'pageshow true',
      ])

      await other.requireConsent(true)
      await ungated.page.evaluate(() => {
        localStorage['masthead.consent'] = '{"analytics":true}'
      })
      const stored = await visit(context)
      await stored.runs('pageshow true')
      expect(await stored.ran()).toEqual(await ungated.ran())
      expect(await stored.body()).toBe(BODY)
    })

    test('Code that writes into the page has its place and its events where the visitor agrees later.', async () => {
      const { page, ...fresh } = await visit(await visitor())
      await page.evaluate(() => {
        const tooLate = () => (window as any).ran.push('own: too late')
        document.addEventListener('DOMContentLoaded', tooLate)
        window.addEventListener('load', tooLate)
      })
      await page.getByRole('button', { name: 'Accept' }).click()
      await fresh.runs('module: parsed')
      await fresh.runs('pageshow true')
      expect(await fresh.body()).toBe(BODY)
      // When a module has run is not for us to say.
      const all = await fresh.ran()
      expect(all.filter((name) => name === 'module: parsed')).toHaveLength(1)
      expect(all.filter((name) => name !== 'module: parsed')).toEqual([
        'own: DOMContentLoaded',
        'own: onload',
        ...SCRIPTS,
        ...PARSED.filter((name) => name !== 'module: parsed'),
        'readystatechange true',
        'onreadystatechange',
        'more: load',
        'load true',
        'added twice',
        'onload true',
        'pageshow true',
      ])
    })

    test('Code that writes into the page does not clear the page by writing too late; other code may.', async () => {
      const context = await visitor()
      const fresh = await visit(context, `${url}#late`)
      await fresh.page.evaluate('masthead.consent.accept()')
      const stored = await visit(context, `${url}#late`)
      for (const { page, runs, body, said } of [fresh, stored]) {
        for (const name of ['late', 'async', 'pageshow true']) await runs(name)
        expect(await body()).toBe(BODY)
        for (const method of ['open', 'write', 'writeln']) expect(said).toContain(`document.${method} too late`)
        await page.evaluate(() => document.write('<p id="own">'))
        expect(await body()).toBe('/own')
      }
    })
  })
})
