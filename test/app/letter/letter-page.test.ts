import { expect, spyOn, test } from 'bun:test'
import { MERGE_TAGS } from '../../../src/shared/merge-tags.ts'
import { AT, campaign, field } from '../../support/answers.ts'
import { block, letter, TYPES } from '../../support/letter-editor.ts'
import { Refusal, send, useTab } from '../../support/tab.ts'
import { type Answers, asked, inTime, visit } from '../../support/visit.ts'
import { invalidate } from '../../../static/app/api/query.ts'
import { LOADERS } from '../../../static/app/loaders.ts'

const tab = useTab()
const LATER = '2026-05-03T12:30:00.000Z'
const BLOCKS = [
  block('t', 'text', { html: '<p>Hi <b>you</b></p>' }),
  block('h', 'heading', { text: 'Head', level: 2 }),
  block('l', 'divider', {}),
]
const SCHEMA: Answers = {
  'schema/get': { block_types: TYPES as never, merge_tags: [...MERGE_TAGS] },
  'settings/get': { settings: { brand_color: '#123456', from_name: 'Harbour' } },
  'custom-fields/list': { items: [field('boat', 'Boat')] },
  'campaigns/readiness': {
    ready: true,
    checks: [{ code: 'sender', ok: true, severity: 'error', message: 'A sender.' }],
  },
  render: ({ subject }) => ({ html: '', text: 'As text', subject, size_bytes: 1025, warnings: [] }),
}
const answered = (more = {}, blocks = BLOCKS) => ({
  campaign: campaign({ editor_json: letter(blocks).document as never, ...more }),
})

function open(address: string, answer = answered()) {
  return visit(tab, address, {
    ...SCHEMA,
    'campaigns/get': answer as never,
    'campaigns/update': { campaign: { id: 5, updated_at: LATER } } as never,
  })
}

/** Puts a text in the place of what a line of the letter holds. */
async function write(label: string, text: string) {
  const line = tab.find(`[role=textbox][aria-label="${label}"]`)
  await tab.key('a', { ctrlKey: true, keyCode: 65 }, line)
  const getData = (type: string) => (type === 'text/plain' ? text : '')
  send(line, 'paste', { clipboardData: { getData, files: [] } })
  await tab.settled()
}
const lines = () => tab.texts('.letter-words [role=textbox]')
const view = () => tab.find('.letter').getAttribute('data-view')
const isSelected = (id: string) => tab.find(`[data-block=${id}]`).getAttribute('aria-current') === 'true'

test('A letter opens with its words, blocks, fields and preview, at the block of the address.', async () => {
  await inTime(tab, async (pass) => {
    await open('/campaigns/5/edit?block=h&from=x')
    await pass(100)
    expect([tab.text('h1'), tab.text('.letter-saved')]).toEqual(['May', 'Saved'])
    expect(tab.button('Campaigns').getAttribute('href')).toBe('/portal/projects/harbour/campaigns')
    expect(lines()).toEqual(['High water', 'At noon'])
    expect(tab.texts('.block-body')).toEqual(['Hi you', 'Head', ''])
    expect(['t', 'h'].map(isSelected)).toEqual([false, true])
    expect(tab.text('.letter-inspector')).toContain('Level')
    expect(tab.text('.letter-inspector')).toContain('Brand')
    expect(tab.text('.preview-inbox')).toBe('HarbourHigh water At noon')
    expect(tab.text('.preview-foot')).toContain('2 kB of 102 kB1 check passed')
    expect(tab.address).toBe('/campaigns/5/edit?block=h&from=x')
    const press = async (selector: string) => {
      tab.find(selector).click()
      await tab.settled()
      await pass(100)
      return tab.address
    }
    expect(await press('.letter-scroll')).toBe('/campaigns/5/edit?from=x')
    expect(isSelected('h')).toBe(false)
    expect(await press('[data-block=l]')).toBe('/campaigns/5/edit?from=x&block=l')
    expect(await press('.letter-words')).toBe('/campaigns/5/edit?from=x&block=l')
    expect(isSelected('l')).toBe(true)
  })
})

test('A block of the address that is no more is none, and a letter has its own sender and its time.', async () => {
  await inTime(tab, async (pass) => {
    const at = { status: 'scheduled' as const, scheduled_at: AT, timezone: 'UTC', from_name: 'Ada', preheader: '' }
    const replaced = spyOn(history, 'replaceState')
    await open('/campaigns/5/edit?block=gone', answered(at))
    await pass(100)
    expect(replaced.mock.calls.at(-1)![2]).toBe('/portal/projects/harbour/campaigns/5/edit')
    expect([tab.all('.block[aria-current]'), tab.address]).toEqual([[], '/campaigns/5/edit'])
    expect(tab.text('.letter-head')).toContain('Goes out 3 May 2026')
    expect(tab.text('.preview-inbox')).toStartWith('Ada')
    const placeholder = (label: string) => tab.find(`[aria-label="${label}"]`).dataset['placeholder']
    expect(placeholder('Preview text')).toBe('What the inbox shows behind the subject')
    expect(placeholder('Subject')).toBe('What is it about?')
  })
})

test('The subject and the preview text are written in their lines, and merge tags are put in.', async () => {
  await inTime(tab, async (pass) => {
    await open('/campaigns/5/edit')
    await write('Subject', 'High water, Bo')
    await write('Preview text', 'At noon sharp')
    expect(lines()).toEqual(['High water, Bo', 'At noon sharp'])
    await tab.press('Insert a merge tag into: Subject')
    expect(tab.names().filter((name) => /^(?:first name|Boat)/.test(name))).toEqual([
      "first nameThe contact's first name.",
      'BoatA field of your own.',
    ])
    await tab.press('last name')
    expect(lines()[0]).toBe('High water, Bolast name')
    expect(tab.text('.letter-row-note')).toStartWith('Some people have no last name.')
    await tab.press('Insert a merge tag into: Preview text')
    await tab.press('first name')
    await pass(5_000)
    expect(asked(tab, 'campaigns/update')).toEqual([
      {
        campaign_id: 5,
        subject: 'High water, Bo{{ contact.last_name }}',
        preheader: 'At noon sharp{{ contact.first_name | default: friend }}',
        expected_updated_at: AT,
        return: 'summary',
      },
    ])
    expect(tab.text('.letter-saved')).toStartWith('Saved ')
    await tab.press('Undo')
    expect([lines(), tab.text('[aria-live=polite]')]).toEqual([['High water, Bolast name', 'At noon sharp'], 'Undone.'])
    await tab.press('Undo')
    expect(lines()).toEqual(['High water, Bo', 'At noon sharp'])
    expect(tab.all('.letter-row-note')).toEqual([])
  })
})

test('Control and Enter change to the preview and back, within a text too, and Enter alone does not.', async () => {
  await open('/campaigns/5/edit')
  const text = tab.find('[aria-label="Subject"]')
  const press = (more = {}, at: Element = text) => tab.key('Enter', more, at)
  expect(view()).toBe('write')
  await press({ ctrlKey: true })
  expect(view()).toBe('preview')
  await press({ metaKey: true })
  expect(view()).toBe('write')
  await press()
  await tab.key('a', { ctrlKey: true }, text)
  expect([view(), lines()[0]]).toEqual(['write', 'High water'])
  await tab.press('Preview')
  expect([view(), tab.button('Preview').getAttribute('aria-selected')]).toEqual(['preview', 'true'])
  await tab.press('Write')
  expect(view()).toBe('write')
})

test("Others' changes are shown while all is saved here, and a letter that is sent is its report.", async () => {
  await open('/campaigns/5/edit')
  tab.answers['campaigns/get'] = answered({ subject: 'Low water', updated_at: LATER })
  invalidate('campaigns/')
  await tab.settled()
  expect([lines()[0], tab.text('.letter-saved')]).toEqual(['Low water', 'Saved'])
  const report = spyOn(LOADERS, 'site/report/report').mockReturnValue(new Promise(() => {}))
  tab.atEnd(() => report.mockRestore())
  await write('Subject', 'Ebb')
  tab.answers['campaigns/update'] = new Refusal(409, 'INVALID_STATE')
  await tab.key('s', { ctrlKey: true }, tab.find('.letter'))
  expect(tab.address).toBe('/campaigns/5')
  expect(tab.pushed).toEqual([])
})

test('A letter that is left is saved.', async () => {
  await open('/campaigns/5/edit')
  await write('Subject', 'Ebb')
  await visit(tab, '/nothing')
  expect(asked(tab, 'campaigns/update')).toMatchObject([{ subject: 'Ebb' }])
})

test('A letter is reviewed once it is saved and all its blocks are complete.', async () => {
  await open('/campaigns/5/edit', answered({}, [...BLOCKS, block('i', 'image', { src: '', alt: '' })]))
  await tab.press('Review and send')
  expect(tab.text('.toast')).toContain('A block that is not complete is not sent.')
  expect([isSelected('i'), tab.address]).toEqual([true, '/campaigns/5/edit?block=i'])
  await tab.key('Delete', {}, tab.find('[data-block=i]'))
  await write('Subject', 'Ebb')
  const refused = new Refusal(422, 'VALIDATION', undefined, 'Too long.')
  tab.answers['campaigns/update'] = refused
  await tab.press('Review and send')
  expect(tab.address).toBe('/campaigns/5/edit?block=l')
  expect(tab.text('.letter-banners')).toStartWith('Not saved: Too long.')
  tab.answers['campaigns/update'] = { campaign: { id: 5, updated_at: LATER } }
  tab.answers['campaigns/readiness'] = new Promise(() => {})
  await tab.press('Review and send')
  expect(tab.address).toBe('/campaigns/5/review')
})

test('A conflict is compared, and dialogs open over the letter.', async () => {
  await open('/campaigns/5/edit')
  await write('Subject', 'Ebb')
  tab.answers['campaigns/update'] = new Refusal(409, 'CONFLICT', [{ path: '/expected_updated_at', message: 'No.' }])
  tab.answers['campaigns/get'] = answered({
    subject: 'Theirs',
    updated_at: LATER,
    updated_by: { id: 'usr_bo', name: 'Bo' },
  })
  await tab.key('s', { ctrlKey: true }, tab.find('.letter'))
  await tab.press('See what changed')
  expect(tab.text('dialog')).toContain('Theirs')
  await tab.press('Close')
  await tab.press('Test…')
  expect(tab.text('dialog h2')).toContain('test')
})

test('A template is written as a letter, and a campaign begins with it under its name.', async () => {
  const template = { id: 3, name: 'Plain', subject: '', updated_at: AT, updated_by: null }
  const document = letter(BLOCKS, { preheader: 'Inside' }).document as never
  await visit(tab, '/templates/3', {
    ...SCHEMA,
    'templates/get': { template: { ...template, editor_json: document } },
    'templates/update': { template: { id: 3, updated_at: LATER } },
    'campaigns/create': new Refusal(422, 'VALIDATION', undefined, 'Not now.'),
  })
  expect([tab.text('h1'), ...lines()]).toEqual(['Plain', '', 'Inside'])
  expect(tab.button('Templates').getAttribute('href')).toBe('/portal/projects/harbour/templates')
  expect(tab.calls.map(({ name }) => name)).not.toContain('campaigns/readiness')
  tab.answers['templates/update'] = new Refusal(422, 'VALIDATION', undefined, 'Too long.')
  await write('Preview text', 'Within')
  await tab.press('Write a campaign with it')
  expect(asked(tab, 'campaigns/create')).toEqual([])
  tab.answers['templates/update'] = { template: { id: 3, updated_at: LATER } }
  await tab.press('Write a campaign with it')
  expect(asked(tab, 'templates/update')[1]).toMatchObject({ editor_json: { settings: { preheader: 'Within' } } })
  expect(tab.address).toBe('/templates/3')
  expect(tab.text('[role=alert]')).toBe('Not now.')
  tab.answers['campaigns/create'] = { campaign: { id: 9 } }
  tab.answers['campaigns/get'] = new Promise(() => {})
  await write('Subject', 'Hello')
  await tab.press('Write a campaign with it')
  const all = { include: [{ type: 'all' }], exclude: [] }
  expect(asked(tab, 'campaigns/create')).toEqual([
    { template_id: 3, name: 'Plain', subject: 'Plain', audience_spec: all },
    { template_id: 3, name: 'Plain', subject: 'Hello', audience_spec: all },
  ])
  expect(tab.address).toBe('/campaigns/9/edit')
})
