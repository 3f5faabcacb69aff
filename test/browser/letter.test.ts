import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { readyToSend } from '../support/campaigns.ts'
import { png } from '../support/pictures.ts'
import { checkLooks, checkPage, checkTexts, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, PASSWORD, type World } from '../support/world.ts'

/** Writing a letter in the browser, with a real service. */

let world: World
let browser: Browser
/** The tab of all tests but one. Each writes a letter of its own in it. */
let shared: Portal
let portal: Portal
let page: Page
let list_id: number

beforeAll(async () => {
  if (!hasBrowser) return
  world = await createWorld()
  ;({ list_id } = await readyToSend(world))
  await world.ok('custom-fields/create', { key: 'port', label: 'Home port', type: 'text' })
  browser = await openBrowser()
  shared = await openPortal(browser, world)
})
beforeEach(() => use(shared))
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

function use(opened: Portal): void {
  portal = opened
  page = opened?.page
}

const block = (type: string, at = 0): Locator => page.locator(`.block[data-type=${type}]`).nth(at)
const name = (): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
const SAVED = /^Saved \d\d:\d\d$/

/** Saves at once, and waits until the page says so. */
async function saved(tab: Page = page): Promise<void> {
  await tab.keyboard.press('Control+s')
  await tab.getByText(SAVED).waitFor()
}

/** A new letter, open in the tab. The code of its editor has come, unless the test holds it. */
async function letter(
  input: Record<string, unknown> = {},
  isHeld = false,
): Promise<{ id: number; stored(): Promise<any> }> {
  const { campaign } = await world.ok('campaigns/create', {
    name: 'May letter',
    subject: 'Tides',
    audience_spec: { include: [{ type: 'list', id: list_id }], exclude: [] },
    editor_json: document_(['text', { html: '<p>High water is at noon.</p>' }]),
    ...input,
  })
  await portal.follow(`/campaigns/${campaign.id}/edit`)
  // The editor's code comes after the first paint.
  await page
    .locator(isHeld ? '.block' : '.ProseMirror')
    .first()
    .waitFor()
  return {
    id: campaign.id,
    stored: async () => (await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign,
  }
}

function document_(...blocks: [type: string, props: object][]) {
  return { version: 1, settings: {}, blocks: blocks.map(([type, props], at) => ({ id: `b${at + 1}`, type, props })) }
}

const typesOf = (campaign: any): string[] => campaign.editor_json.blocks.map(({ type }: { type: string }) => type)

test.if(hasBrowser)(
  'A subject that is typed before the code of the editor has come stays, with its caret.',
  async () => {
    use(await openPortal(browser, world)) // a tab without the code
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/text-view-*.js', async (route) => {
      await held
      await route.continue()
    })
    const { stored } = await letter({ subject: '{{ contact.first_name }}, tides' }, true)
    const subject = page.getByRole('textbox', { name: 'Subject' })
    expect(await subject.innerText()).toBe('first name, tides')
    // No block is deleted by a key for the text that was clicked.
    await block('text').locator('.block-body').click()
    await page.keyboard.press('Backspace')
    await subject.focus()
    await page.keyboard.press('Control+End')
    for (let left = 0; left < 'tides'.length; left++) await page.keyboard.press('ArrowLeft')
    // The first letter is a key of the page elsewhere.
    await page.keyboard.type('new')
    await page.keyboard.press('Enter')
    release()
    await page.locator('.letter-line.ProseMirror').first().waitFor()
    await page.keyboard.type('er ')
    await saved()
    const { subject: written, editor_json } = await stored()
    expect([written, editor_json.blocks.length]).toEqual(['{{ contact.first_name }}, newer tides', 1])
  },
)

test.if(hasBrowser)('A letter is written by mouse, drawn by the service and saved by itself.', async () => {
  const { stored } = await letter({ template_id: 'builtin:product-update', editor_json: undefined })
  const preview = page.frameLocator('.preview-frame')
  await preview.getByText('Plan together: shared calendars are here').waitFor()
  await checkLooks(portal)

  await block('text', 1).locator('.block-body').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Come **aboard** soon.')
  await preview.getByText('Come aboard soon.').waitFor()
  await block('button').click()
  await page.getByRole('textbox', { name: 'Link', exact: true }).fill('example.com/x')
  await page.getByText('but for 1 block not complete yet').waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('combobox', { name: 'Place' }).selectOption('Center')
  await page.getByText(SAVED).waitFor()
  const { editor_json } = await stored()
  expect(editor_json.blocks[2].props.html).toContain('week again. Come <strong>aboard</strong> soon.</p>')
  expect(editor_json.blocks[3].props).toMatchObject({ href: 'https://example.com/x', align: 'center' })

  await preview.getByText('Also in this release').click()
  await page.locator('.block-selected[aria-label^="Text: Also in this release"], .block-selected').waitFor()
  expect(await page.locator('.block-selected').innerText()).toContain('Also in this release')
  for (const look of ['Phone', 'Dark', 'Text']) await page.getByRole('button', { name: look, exact: true }).click()
  expect(await page.locator('.preview-text').innerText()).toContain('Come aboard soon.')
})

test.if(hasBrowser)('A letter is written with the keyboard alone.', async () => {
  const { stored } = await letter()
  await page.getByRole('textbox', { name: 'Subject' }).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' in May')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await name()).toBe('Text: High water is at noon.')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/head')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Tables')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await page.keyboard.press('Escape')
  expect(await name()).toBe('Text: one two')
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByText('Text moved to place 2 of 3.').waitFor()
  expect(await name()).toBe('Text: one two')
  await page.keyboard.press('Control+d')
  await page.keyboard.press('Delete')
  await page.keyboard.press('/')
  await page.keyboard.type('space')
  await page.keyboard.press('Enter')
  expect(await name()).toBe('Space')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.letter-inspector') !== null)).toBe(true)
  await page.keyboard.press('Escape')
  expect(await name()).toBe('Space')
  await page.keyboard.press('Home')
  expect(await name()).toBe('Text: High water is at noon.')
  await saved()
  const campaign = await stored()
  expect(campaign.subject).toBe('Tides in May')
  expect(typesOf(campaign)).toEqual(['text', 'text', 'heading', 'spacer'])
  expect(campaign.editor_json.blocks[1].props.html).toBe('<ul><li>one</li><li>two</li></ul>')
})

test.if(hasBrowser)('Pasted text is cleaned, and a pasted picture is asked about.', async () => {
  const { stored } = await letter()
  await block('text').locator('.block-body').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' ')
  await paste('text/html', '<span style="font-weight:700" class="x">Bring</span> {{ contact.first_name }}')
  await page.locator('.ProseMirror .tag-chip').waitFor()
  await paste('text/plain', ' and boots')
  await saved()
  expect((await stored()).editor_json.blocks[0].props.html).toBe(
    '<p>High water is at noon. <strong>Bring</strong> {{ contact.first_name }} and boots</p>',
  )
  await paste('image/png', png(8, 8).toString('base64'))
  await page.getByRole('dialog', { name: 'Add a picture' }).locator('img').waitFor()
  await checkPage(portal)
  await page.keyboard.press('Escape')
})

/** Pastes into the text that has the focus. A picture is given in base64. */
function paste(type: string, content: string): Promise<void> {
  return page.evaluate(
    ([kind, value]) => {
      const data = new DataTransfer()
      const bytes = () => Uint8Array.from(atob(value!), (letter) => letter.charCodeAt(0))
      if (kind!.startsWith('image/')) data.items.add(new File([bytes()], 'pasted.png', { type: kind! }))
      else data.setData(kind!, value!)
      document.activeElement!.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    },
    [type, content],
  )
}

test.if(hasBrowser)('Each undo takes back one thing.', async () => {
  await letter({ editor_json: document_(['text', { html: '<p>High water.</p>' }]) })
  const text = block('text').locator('.block-body')
  await text.click()
  await text.locator('.ProseMirror').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('ab')
  await text.locator('p').click({ position: { x: 1, y: 8 } })
  await page.keyboard.type('c')
  await paste('text/plain', 'pasted')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+b')
  for (const left of ['cpastedHigh water.ab', 'cHigh water.ab', 'High water.ab', 'High water.']) {
    await page.keyboard.press('Control+z')
    await text.locator('p:not(:has(strong))').getByText(left, { exact: true }).waitFor()
  }
  expect(await name()).toBe('Text')
})

test.if(hasBrowser)('A block goes out of a column by a key, and back by dragging.', async () => {
  const { stored } = await letter({
    editor_json: document_([
      'columns',
      {
        columns: [
          { blocks: [{ id: 'go', type: 'button', props: { text: 'Go', href: 'https://example.com' } }] },
          { blocks: [{ id: 'in', type: 'divider', props: {} }] },
        ],
      },
    ]),
  })
  await block('button').click()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.getByText('Button moved to place 1 of 2.', { exact: true }).waitFor()
  await block('button')
    .locator('.block-handle')
    .first()
    .dragTo(block('divider'), { targetPosition: { x: 60, y: 2 } })
  await page.getByText('Button moved to place 1 of 2 in column 2.').waitFor()
  await saved()
  const [columns] = (await stored()).editor_json.blocks
  expect(columns.props.columns.map(({ blocks }: any) => blocks.map(({ type }: any) => type))).toEqual([
    [],
    ['button', 'divider'],
  ])
})

test.if(hasBrowser)('A session or a connection that ends in mid-sentence takes nothing with it.', async () => {
  const { stored } = await letter()
  await block('text').locator('.block-body').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' The moon')
  await portal.context.clearCookies()
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  await page.getByText('Not saved: your session has ended (kept in this browser)').waitFor()
  portal.troubles.splice(0)
  await page.getByLabel(/^Password of/).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await saved()
  await block('text').locator('.letter-text').click()
  await page.keyboard.press('Control+End')
  await portal.context.setOffline(true)
  await page.keyboard.type(' is full.')
  await page.getByText('Not saved: no connection (kept in this browser)').waitFor()
  portal.troubles.splice(0)
  await portal.context.setOffline(false)
  await saved()
  expect((await stored()).editor_json.blocks[0].props.html).toBe('<p>High water is at noon. The moon is full.</p>')
  portal.troubles.splice(0)
})

test.if(hasBrowser)(
  'On a phone, writing and preview are two tabs, also from right to left and at twice the size; keys scroll.',
  async () => {
    await letter()
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Keys of the editor' }).click()
    await page.getByText('Double the block').waitFor()
    await checkPage(portal)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    await page.waitForFunction(() => document.querySelector('.dialog-body')!.scrollTop > 0)
    await page.keyboard.press('Escape')
    await block('text').locator('.block-body').click()
    await checkPage(portal)
    await page.keyboard.press('Control+Enter')
    await page.frameLocator('.preview-frame').getByText('High water is at noon.').waitFor()
    await checkPage(portal)
    await page.setViewportSize({ width: 640, height: 400 })
    await checkTexts(portal)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await checkTexts(portal)
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
  },
)
