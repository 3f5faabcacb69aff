import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { script_connections } from '../../src/store/tables/scripts.ts'
import { createSiteWorld, DOMAIN } from '../http/site-world.ts'
import { type Desk, openDesk } from '../developer/desk.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'

/** What a script or value runs if it can. */
const RUN = '(window.ran||=[]).push(1)'
const ATTACKS = [
  `<img src=x onerror="${RUN}">`,
  `<img src=x onerror=${RUN}>`,
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `</style><svg onload=${RUN}>`,
  `--><iframe srcdoc="<script>parent.ran=[1]</script>"></iframe>`,
  `</textarea></title></noscript><body onload=${RUN}>`,
  '<!--',
  '<textarea>',
  '<plaintext>',
]

/** Places outside strings and attributes, in which a value is text. */
const CODE = `<style>/* {{v}} */</style><script type="application/json">{{v}}</script>
  <script>/* {{w}} */</script><noscript>{{v}}</noscript><!-- {{v}} --><div id="own">{{v}}</div>
  <textarea>{{v}}</textarea><svg><title>{{v}}</title><style>{{v}}</style></svg><iframe srcdoc="<p>{{v}}</p>"></iframe>`

describe.skipIf(!hasBrowser)('from an access token to a visitor in a browser', () => {
  let desk: Desk
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    ;[desk, browser] = await Promise.all([openDesk(await createSiteWorld()), openBrowser()])
    page = await browser.newPage()
    await desk.ok('editor', 'POST', '/project/pages/create', {
      project_id: desk.world.project.public_id,
      path: '/',
      title: 'Home',
      html: '<!doctype html><title>Home</title><body><p id="home">Home</p></body>',
    })
  })
  afterAll(() => browser.close())
  beforeEach(() =>
    desk.world.service.runtime.store.write(async (tx) => {
      await tx.delete(script_connections)
    }),
  )

  const embed = async (token: string, scriptId: number, parameters: object = {}) =>
    desk.api(token, 'POST', '/scripts/embed', { project_id: desk.world.project.public_id, scriptId, parameters })

  /** The page as a visitor sees it, without its frames: whether it is whole, the code's text, and what ran. */
  async function visit() {
    await page.goto(`http://${DOMAIN}:${new URL(desk.world.url).port}/`, { waitUntil: 'load' })
    return page.evaluate(() => ({
      home: (document.querySelector('#home') as HTMLElement | null)?.innerText,
      own: document.querySelector('#own')?.textContent,
      elements: [...(document.querySelector('#own')?.children ?? [])].map(({ localName }) => localName),
      ran: (window as any).ran?.length ?? 0,
    }))
  }

  test("A script that a member's token embeds never runs, and an editor's does.", async () => {
    for (const status of ['in development', 'approved']) {
      const app = await desk.app({}, 'member')
      const script = await desk.script(app.id, { code: `<script>${RUN}</script>` }, 'member')
      if (status === 'approved') await desk.approve(app.id, 'member')
      const member = await desk.token(app.id, { person: 'member' })
      expect(await embed(member, script.id)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      expect(await visit()).toMatchObject({ home: 'Home', ran: 0 })

      const editor = await desk.token(app.id, { person: 'editor' })
      expect((await embed(editor, script.id)).status).toBe(200)
      expect(await visit()).toMatchObject({ home: 'Home', ran: 1 })
      const { id } = (await desk.api(member, 'POST', `/scripts/list?project_id=${desk.world.project.public_id}`)).body
        .scripts[0]
      expect((await desk.api(member, 'DELETE', `/scripts/connection/${id}`)).status).toBe(403)
      expect(await visit()).toMatchObject({ ran: 1 })
      expect((await desk.api(editor, 'DELETE', `/scripts/connection/${id}`)).status).toBe(200)
      expect(await visit()).toMatchObject({ home: 'Home', ran: 0 })
    }
  })

  test('No value in the default format runs, makes an element or blanks the page.', async () => {
    const app = await desk.app()
    // The value of `w` is inside a script, where it is code: it only must not end the script.
    const script = await desk.script(app.id, { code: CODE })
    await desk.approve(app.id)
    const token = await desk.token(app.id, { person: 'editor' })
    for (const value of ATTACKS) {
      expect((await embed(token, script.id, { v: value, w: value })).status).toBe(200)
      expect([value, await visit()]).toEqual([value, { home: 'Home', own: value, elements: [], ran: 0 }])
    }
  })

  test('A value with the format html is markup, and one that is open never blanks the page.', async () => {
    const app = await desk.app()
    const code = '<div id="own">{{v}}</div>'
    const script = await desk.script(app.id, { code, placement: 'HTML Body start' })
    await desk.approve(app.id)
    const token = await desk.token(app.id, { person: 'editor' })
    expect((await embed(token, script.id, { v: '<!--' })).status).toBe(200)
    expect(await visit()).toMatchObject({ home: 'Home', own: '<!--' })

    await desk.ok('outsider', 'PATCH', `/user/developer/apps/${app.id}/scripts/${script.id}`, {
      parameter_formats: { v: 'html' },
    })
    expect((await embed(token, script.id, { v: '<b>x</b>' })).status).toBe(200)
    expect(await visit()).toMatchObject({ own: '<b>x</b>', elements: [] })
    await embed(token, script.id, { v: '<textarea>' })
    await desk.approve(app.id)
    expect(await visit()).toMatchObject({ home: 'Home', own: '<textarea>', elements: [] })
    for (const v of ['<!--', '<textarea>', '<script>', '<plaintext>'])
      expect(await embed(token, script.id, { v })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('parameters.v') },
      })
    expect((await embed(token, script.id, { v: '<b>x</b>' })).status).toBe(200)
    expect(await visit()).toMatchObject({ home: 'Home', own: 'x', elements: ['b'] })
  })
})
