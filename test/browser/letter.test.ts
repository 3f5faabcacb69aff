import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { readyToSend } from '../support/campaigns.ts'
import { png } from '../support/pictures.ts'
import { checkLooks, checkPage, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, PASSWORD, type World } from '../support/world.ts'

/** Writing a letter in the browser, with a real service. */

let world: World
let browser: Browser
let portal: Portal
let page: Page
let list_id: number

beforeAll(async () => {
  if (!hasBrowser) return
  world = await createWorld()
  ;({ list_id } = await readyToSend(world))
  await world.ok('custom-fields/create', { key: 'port', label: 'Home port', type: 'text' })
  browser = await openBrowser()
  portal = await openPortal(browser, world)
  page = portal.page
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

const block = (type: string, at = 0): Locator => page.locator(`.block[data-type=${type}]`).nth(at)
const name = (): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
const SAVED = /^Saved \d\d:\d\d$/

/** Saves at once, and waits until the page says so. */
async function saved(tab: Page = page): Promise<void> {
  await tab.keyboard.press('Control+s')
  await tab.getByText(SAVED).waitFor()
}

/** A new letter, open in the tab. */
async function letter(input: Record<string, unknown> = {}): Promise<{ id: number; stored(): Promise<any> }> {
  const { campaign } = await world.ok('campaigns/create', {
    name: 'May letter',
    subject: 'Tides',
    audience_spec: { include: [{ type: 'list', id: list_id }], exclude: [] },
    editor_json: document_(['text', { html: '<p>High water is at noon.</p>' }]),
    ...input,
  })
  await portal.follow(`/campaigns/${campaign.id}/edit`)
  await page.locator('.block').first().waitFor()
  return {
    id: campaign.id,
    stored: async () => (await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign,
  }
}

function document_(...blocks: [type: string, props: object][]) {
  return { version: 1, settings: {}, blocks: blocks.map(([type, props], at) => ({ id: `b${at + 1}`, type, props })) }
}

const typesOf = (campaign: any): string[] => campaign.editor_json.blocks.map(({ type }: { type: string }) => type)

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
  await checkPage(portal)
})

test.if(hasBrowser)('Undo and redo go over texts, fields, moves and the subject.', async () => {
  const { stored } = await letter({
    editor_json: document_(['text', { html: '<p>One</p>' }], ['divider', {}], ['spacer', { height: 24 }]),
  })
  await block('text').locator('.block-body').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' more')
  await block('divider').click()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByText('Line moved to place 3 of 3.').waitFor()
  await page.keyboard.press('Delete')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Another')
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await page.keyboard.press('Control+z')
  await expectSubject('Tides')
  await undo.first().click()
  await undo.first().click()
  await undo.first().click()
  expect(await page.locator('.letter-blocks').innerText()).not.toContain('more')
  expect(await page.locator('.block').evaluateAll(typesShown)).toEqual(['text', 'divider', 'spacer'])
  await page.keyboard.press('Control+Shift+z')
  await page.keyboard.press('Control+y')
  await page.keyboard.press('Control+y')
  await page.locator('.block').nth(2).waitFor({ state: 'detached' })
  await saved()
  expect(typesOf(await stored())).toEqual(['text', 'spacer'])
  expect((await stored()).editor_json.blocks[0].props.html).toBe('<p>One more</p>')
})

const typesShown = (rows: Element[]): unknown[] => rows.map((row) => (row as HTMLElement).dataset['type'])

async function expectSubject(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Subject' }).getByText(text, { exact: true }).waitFor()
}

test.if(hasBrowser)('A merge tag is one piece with words for people without a value.', async () => {
  const { stored } = await letter()
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await subject.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' for {{last')
  await page.getByRole('option', { name: /last name/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Some people have no last name.').waitFor()
  await subject.locator('.tag-chip').click()
  await page.getByLabel('For people without it').fill('friends')
  await page.keyboard.press('Enter')
  await subject.getByText('last name, else “friends”').waitFor()
  expect(await page.getByText('Some people have no last name.').count()).toBe(0)

  await block('text').locator('.block-body').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' From {{home')
  await page.keyboard.press('Enter')
  await page.keyboard.type('.')
  await checkPage(portal)
  await saved()
  const campaign = await stored()
  expect(campaign.subject).toBe('Tides for {{ contact.last_name | default: friends }}')
  expect(campaign.editor_json.blocks[0].props.html).toBe(
    '<p>High water is at noon. From {{ contact.custom.port }}.</p>',
  )

  await page.getByRole('button', { name: 'Insert a merge tag into: Preview text' }).click()
  await page.getByRole('menuitem', { name: /^date/ }).click()
  await page.getByRole('textbox', { name: 'Preview text' }).locator('.tag-chip', { hasText: 'date' }).waitFor()
})

test.if(hasBrowser)('A picture is uploaded, described, and shown in the preview.', async () => {
  const { stored } = await letter()
  await page.getByRole('button', { name: /^Add a block, or type/ }).click()
  await page.keyboard.type('picture')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a picture' })
  await page.locator('input[type=file]').setInputFiles({ name: 'tide.png', mimeType: 'image/png', buffer: png(40, 30) })
  await dialog.locator('img').waitFor()
  await checkPage(portal)
  await dialog.getByLabel('What is seen?').fill('The harbour at low tide')
  await dialog.getByRole('button', { name: 'Add the picture' }).click()
  await page.frameLocator('.preview-frame').getByAltText('The harbour at low tide').waitFor()
  await saved()
  const { editor_json } = await stored()
  expect(editor_json.blocks[1]).toMatchObject({ type: 'image', props: { alt: 'The harbour at low tide', width: 40 } })
  expect(editor_json.blocks[1].props.src).toStartWith(`${world.url}/files/`)

  await page.getByRole('button', { name: 'Choose another' }).click()
  await page.getByRole('tab', { name: 'Files of the project' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'tide.png' }).waitFor()
  await checkPage(portal)
  await page.keyboard.press('Escape')
})

test.if(hasBrowser)('The toolbar formats what is chosen, and a key links it.', async () => {
  const { stored } = await letter()
  const press = (label: string) =>
    page.locator('.letter-inspector').getByRole('button', { name: label, exact: true }).click()
  await block('text').locator('.block-body').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Where it leads' }).fill('harbour.example/tides')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await block('text').locator('.letter-text').click()
  await page.keyboard.press('Control+End')
  for (const label of ['H2: heading', 'Center', 'Quote']) await press(label)
  await saved()
  expect((await stored()).editor_json.blocks[0].props.html).toBe(
    '<blockquote><h2 style="text-align:center"><a href="https://harbour.example/tides">High water is at noon.</a>' +
      '</h2></blockquote>',
  )
  await press('H2: heading')
  await press('List')
  await page.keyboard.press('Enter')
  await page.keyboard.type('more')
  await page.keyboard.press('Control+a')
  await press('Clear the formats')
  await saved()
  expect((await stored()).editor_json.blocks[0].props.html).toBe('<p>High water is at noon.</p><p>more</p>')
  await checkPage(portal)
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

test.if(hasBrowser)('Blocks go into columns and out of them, by keys, by dialog and by dragging.', async () => {
  const { stored } = await letter({
    editor_json: document_(
      ['button', { text: 'Go', href: 'https://example.com' }],
      ['columns', { columns: [{ blocks: [] }, { blocks: [{ id: 'in', type: 'divider', props: {} }] }] }],
    ),
  })
  await block('button').click()
  await page.keyboard.press('Alt+ArrowRight')
  await page.getByText('Button moved to place 1 of 1 in column 1.').waitFor()
  await page.keyboard.press('Alt+ArrowRight')
  await page.getByText('Button moved to place 1 of 2 in column 2.').waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.keyboard.press('Alt+ArrowLeft')
  await page.getByText('Button moved to place 1 of 2.', { exact: true }).waitFor()
  await block('button')
    .locator('.block-handle')
    .first()
    .dragTo(block('divider'), { targetPosition: { x: 60, y: 2 } })
  await page.getByText('Button moved to place 1 of 2 in column 2.').waitFor()
  await page.getByRole('button', { name: /^More for Button/ }).click()
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  await page.getByLabel('To', { exact: true }).selectOption('— The beginning of column 1')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await saved()
  const [columns] = (await stored()).editor_json.blocks
  expect(columns.props.columns.map(({ blocks }: any) => blocks.map(({ type }: any) => type))).toEqual([
    ['button'],
    ['divider'],
  ])
  await checkLooks(portal)
})

test.if(hasBrowser)('Imported markup is edited as code, and the design of the whole letter beside it.', async () => {
  const { stored } = await letter()
  await page.getByRole('button', { name: /^Add a block, or type/ }).click()
  await page.keyboard.type('html')
  await page.keyboard.press('Enter')
  await page.locator('.code-editor .cm-content').click()
  await page.keyboard.insertText('<p>From <b>elsewhere</b></p>')
  await page.frameLocator('.preview-frame').getByText('elsewhere').waitFor()
  await checkPage(portal)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Design of the letter' }).click()
  await page.getByLabel('Page color', { exact: true }).selectOption('Own color')
  await page.getByLabel('Width').fill('640')
  await page.getByLabel('Font').selectOption('Georgia (serif)')
  await checkPage(portal)
  await saved()
  const { editor_json } = await stored()
  expect(editor_json.blocks[1]).toMatchObject({ type: 'html', props: { html: '<p>From <b>elsewhere</b></p>' } })
  expect(editor_json.settings).toEqual({
    background_color: '#0b5a6e',
    content_width: 640,
    font_family: "Georgia, 'Times New Roman', serif",
  })
})

test.if(hasBrowser)('Two people who edit one letter see each other, and neither loses a word.', async () => {
  const { id, stored } = await letter()
  const other = await openPortal(browser, world, 'administrator')
  await other.open(`/campaigns/${id}/edit`)
  const theirs = other.page.locator('.block[data-type=text]')
  await theirs.locator('.block-body').click()
  await other.page.keyboard.press('Control+End')
  await other.page.keyboard.type(' Low water is at six.')
  await saved(other.page)

  await block('text').locator('.block-body').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Bring boots.')
  await page.getByText(/saved this/).waitFor()
  portal.troubles.splice(0)
  await page.getByRole('button', { name: 'See what changed' }).click()
  const dialog = page.getByRole('dialog', { name: 'What changed' })
  expect(await dialog.locator('ins').allInnerTexts()).toEqual([' Low water is at six.', ' Bring boots.'])
  await checkPage(portal)
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await saved()
  expect((await stored()).editor_json.blocks[0].props.html).toBe('<p>High water is at noon. Bring boots.</p>')

  await other.page.keyboard.type(' Take care.')
  await other.page.getByRole('button', { name: 'Take theirs' }).click()
  await other.page.getByText('Bring boots.').first().waitFor()
  await other.page.getByRole('button', { name: 'More', exact: true }).click()
  await other.page.getByRole('menuitem', { name: 'See earlier versions' }).click()
  await other.page.getByRole('button', { name: 'Go back to this version' }).click()
  await saved(other.page)
  expect((await stored()).editor_json.blocks[0].props.html).toContain('Take care.')
  await other.close()
})

test.if(hasBrowser)('A session that ends in the middle of a sentence takes nothing with it.', async () => {
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
  await page.keyboard.type(' is full.')
  await saved()
  expect((await stored()).editor_json.blocks[0].props.html).toBe('<p>High water is at noon. The moon is full.</p>')
})

test.if(hasBrowser)('Without a connection the letter is kept here, and saved when it is back.', async () => {
  const { stored } = await letter()
  await block('text').locator('.block-body').click()
  await portal.context.setOffline(true)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Storm.')
  await page.getByText('Not saved: no connection (kept in this browser)').waitFor()
  portal.troubles.splice(0)
  await portal.context.setOffline(false)
  await saved()
  expect((await stored()).editor_json.blocks[0].props.html).toContain('Storm.')
  portal.troubles.splice(0)
})

test.if(hasBrowser)(
  'A letter that was not saved when the tab was closed is back when it is opened again.',
  async () => {
    const { id, stored } = await letter()
    await block('text').locator('.block-body').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Half a sent')
    await portal.open(`/campaigns/${id}/edit`)
    await page.getByText(/was not saved then. It is back./).waitFor()
    await checkPage(portal)
    await saved()
    expect((await stored()).editor_json.blocks[0].props.html).toContain('Half a sent')
  },
)

test.if(hasBrowser)('A refusal of the service marks the block and the field that it names.', async () => {
  const { id, stored } = await letter()
  const refusal = { path: '/editor_json/blocks/0/props/align', message: 'Not one of these.' }
  await page.route('**/campaigns/update', (route) =>
    route.fulfill({
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED', message: 'The request is not valid.', details: [refusal] } },
    }),
  )
  await block('text').locator('.block-body').click()
  await page.keyboard.type('Mist. ')
  await page.keyboard.press('Control+s')
  await page.getByText(/Not saved: The request is not valid/).waitFor()
  await page.locator('.block-flawed').getByText('Not one of these.').waitFor()
  expect(await page.getByRole('combobox', { name: 'Place' }).getAttribute('aria-invalid')).toBe('true')
  portal.troubles.splice(0)
  await checkPage(portal)
  await page.unroute('**/campaigns/update')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(SAVED).waitFor()
  expect((await stored()).id).toBe(id)
  expect((await stored()).editor_json.blocks[0].props.html).toContain('Mist.')
})

test.if(hasBrowser)('A test goes to the addresses given, and each has its result.', async () => {
  await world.ok('suppressions/add', { email: 'gone@example.com', reason: 'manual' })
  await letter()
  await page.getByRole('button', { name: 'Test…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a test' })
  await dialog.getByLabel('To').fill('ada@example.com gone@example.com')
  await dialog.getByRole('button', { name: 'Send test to 2 addresses' }).click()
  await dialog.getByText('ada@example.com: queued.').waitFor()
  await dialog.getByText('gone@example.com: not sent, it is suppressed').waitFor()
  await checkPage(portal)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Test…' }).click()
  expect(await dialog.getByLabel('To').inputValue()).toBe('ada@example.com\ngone@example.com')
  await page.keyboard.press('Escape')
})

test.if(hasBrowser)('A letter becomes a template, which the same editor edits.', async () => {
  await letter()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Tide letter')
  await page.getByRole('button', { name: 'Save the template' }).click()
  await page.getByRole('link', { name: 'Open it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tide letter' }).waitFor()
  await page.getByRole('textbox', { name: 'Preview text' }).fill('From the harbour')
  await saved()
  const { items } = await world.ok('templates/list')
  const { template } = await world.ok('templates/get', { template_id: items.at(-1).id })
  expect(template.editor_json.settings.preheader).toBe('From the harbour')
  await checkLooks(portal)
})

test.if(hasBrowser)('The list of keys is scrolled by keys on a phone.', async () => {
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
  await page.setViewportSize({ width: 1280, height: 800 })
})

test.if(hasBrowser)(
  'On a phone, writing and preview are two tabs, also from right to left and at twice the size.',
  async () => {
    await letter()
    await page.setViewportSize({ width: 360, height: 740 })
    await block('text').locator('.block-body').click()
    await checkPage(portal)
    await page.keyboard.press('Control+Enter')
    await page.frameLocator('.preview-frame').getByText('High water is at noon.').waitFor()
    await checkPage(portal)
    await page.setViewportSize({ width: 640, height: 400 })
    await checkPage(portal)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await checkPage(portal)
  },
)

test.if(hasBrowser)('A letter that is being sent is shown as its report.', async () => {
  const { id } = await letter()
  await world.ok('contacts/upsert', { email: 'ada@example.com', list_ids: [list_id], consent_text: 'Yes' })
  await world.ok('campaigns/send', { campaign_id: id })
  await block('text').locator('.block-body').click()
  await page.keyboard.type('Too late. ')
  await page.waitForURL(`**/campaigns/${id}`)
  await page.goto(`${page.url()}/edit`)
  await page.waitForURL(`**/campaigns/${id}`)
})
