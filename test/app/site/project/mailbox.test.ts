import { expect, test } from 'bun:test'
import { loadFrame, watches } from '../../../support/frames.ts'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import { asked, change, inTime, visit } from '../../../support/visit.ts'

const tab = useTab()

const message = (id: number, subject = 'May letter') => ({
  ...{ id, subject, to: 'grace@example.com', from: 'ada@example.com' },
  received_on: '2026-05-03T12:00:00.000Z',
})

async function open(at: string, messages: ReturnType<typeof message>[], role: 'owner' | 'member' = 'owner') {
  const answers = {
    'POST /project/mailbox/list': { messages },
    'POST /project/mailbox/clear': { deleted: messages.length },
  }
  await visit(tab, `/mailbox${at}`, answers, role)
}

test('Messages stand with their subject, and lead to themselves.', async () => {
  await open('', [message(2), message(1, '')])
  expect(rowsOf(tab, 'Messages').map((row) => row.slice(0, 3))).toEqual([
    ['May letter', 'grace@example.com', 'ada@example.com'],
    ['(no subject)', 'grace@example.com', 'ada@example.com'],
  ])
  expect(tab.button('May letter').getAttribute('href')).toEndWith('/mailbox/2')
  expect(asked(tab, 'POST /project/mailbox/list')).toEqual([{ limit: 50 }])
})

test('An address is searched for when the form is sent, and all are shown when the search is emptied.', async () => {
  await open('', [message(1)])
  await tab.type('Search addresses', ' grace ')
  expect(tab.address).toBe('/mailbox')
  await tab.submit()
  expect(tab.address).toBe('/mailbox?to=grace')
  expect(asked(tab, 'POST /project/mailbox/list').at(-1)).toEqual({ limit: 50, to: 'grace' })
  await tab.type('Search addresses', '')
  expect(tab.address).toBe('/mailbox')
})

test('A full page leads to the older messages of the same search, and from there back.', async () => {
  await open(
    '?to=grace',
    Array.from({ length: 50 }, (_, at) => message(90 - at)),
  )
  expect(tab.button('Newer').getAttribute('aria-disabled')).toBe('true')
  await tab.press('Older')
  expect(tab.address).toBe('/mailbox?to=grace&before=41')
  expect(asked(tab, 'POST /project/mailbox/list').at(-1)).toEqual({ limit: 50, to: 'grace', before_id: 41 })
  await tab.press('Newer')
  expect(tab.address).toBe('/mailbox?to=grace')
})

test('A page that is not full is the last one.', async () => {
  await open(
    '',
    Array.from({ length: 49 }, (_, at) => message(90 - at)),
  )
  expect(tab.has('Older')).toBe(false)
})

test('An empty mailbox leads to the connections, an empty search to all messages.', async () => {
  await open('', [])
  expect(tab.button('To the connections').getAttribute('href')).toEndWith('/sending')
  expect(tab.button('Empty the mailbox').getAttribute('aria-disabled')).toBe('true')
  await open('?to=nobody', [])
  expect(tab.text('main')).toContain('No message to this address.')
  expect(tab.button('Clear filters').getAttribute('href')).toEndWith('/harbour/mailbox')
})

test.each([
  [1, 'One message was deleted.'],
  [2, '2 messages were deleted.'],
])('Emptying a mailbox of %i is asked first, and told.', async (many, said) => {
  await open(
    '',
    Array.from({ length: many }, (_, at) => message(at + 1)),
  )
  await tab.press('Empty the mailbox')
  expect(await change(tab, 'POST /project/mailbox/clear', () => tab.press('Delete all messages'))).toEqual({
    busy: ['Delete all messages'],
    again: ['/project/mailbox/list'],
  })
  expect(asked(tab, 'POST /project/mailbox/clear')).toEqual([{}])
  expect(tab.text('.toasts')).toContain(said)
  expect(tab.sent('POST /project/mailbox/list')).toHaveLength(2)
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('A member reads the mailbox and empties nothing.', async () => {
  await open('', [message(1)], 'member')
  expect(tab.has('Empty the mailbox')).toBe(false)
  expect(tab.text('main')).toContain('Emptying it takes an editor')
})

test('The mailbox is looked into again every ten seconds, in the order that it came.', async () => {
  await inTime(tab, async (pass) => {
    await open('', [message(1)])
    tab.answers['POST /project/mailbox/list'] = { messages: [message(2, 'New'), message(1)] }
    await pass(9_999)
    expect(tab.sent('POST /project/mailbox/list')).toHaveLength(1)
    await pass(1)
    expect(rowsOf(tab, 'Messages').map(([subject]) => subject)).toEqual(['New', 'May letter'])
  })
})

test('A mailbox that could not be loaded says so.', async () => {
  await visit(tab, '/mailbox', { 'POST /project/mailbox/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('The mailbox could not be loaded.')
})

const MESSAGE = {
  ...{ ...message(7), text: 'Hello' as string | null, html: null as string | null, raw: 'Subject: ü' },
  headers: { 'x-one': '1', received: ['a', 'b'] } as Record<string, string | string[]>,
}
const openMessage = (at: string, more: Partial<typeof MESSAGE> = {}) =>
  visit(tab, `/mailbox/7${at}`, { 'POST /project/mailbox/get': { message: { ...MESSAGE, ...more } } })
const tabs = () => tab.texts('[role=tab]')

test('A message without HTML is shown as text.', async () => {
  await openMessage('')
  expect(asked(tab, 'POST /project/mailbox/get')).toEqual([{ message_id: 7 }])
  expect(tab.text('h1')).toBe('May letter')
  expect(tabs()).toEqual(['Text part', 'Headers', 'Source'])
  expect(tab.texts('main dd')).toEqual(['grace@example.com', 'ada@example.com', '3 May 2026, 12:00'])
  expect(tab.text('pre')).toBe('Hello')
})

test('A message with HTML is drawn, and its parts are chosen by the address.', async () => {
  await openMessage('', { html: '<p>Hello</p>', text: null, subject: '' })
  expect(tab.text('h1')).toBe('Message')
  expect(tabs()).toEqual(['Message', 'Text part', 'Headers', 'Source'])
  expect(tab.find('iframe').getAttribute('style') ?? tab.find('iframe').style.cssText).toContain('680px')
  await tab.press('Phone')
  expect(tab.find('iframe').style.cssText).toContain('375px')
  await tab.press('Text part')
  expect([tab.address, tab.text('main')]).toEqual([
    '/mailbox/7?view=text',
    expect.stringContaining('This message has no text part.'),
  ])
  await tab.press('Message')
  expect(tab.address).toBe('/mailbox/7')
})

test('A message is as tall as it is drawn, and its links are opened from beside it.', async () => {
  const sized = watches(tab, 'ResizeObserver')
  const anchors = [
    ['https://a.example/x', ' Read on '],
    ['https://a.example/x', 'Again'],
    ['http://b.example/', ''],
    ['mailto:ada@example.com', 'Write'],
  ].map(([href, words]) => `<a href="${href}">${words}</a>`)
  await openMessage('', { html: anchors.join('') })
  const frame = tab.find('iframe')
  expect(['src', 'sandbox'].map((name) => frame.getAttribute(name))).toEqual([
    ...['/portal/preview-frame', 'allow-same-origin'],
  ])
  expect(tab.text('main')).not.toContain('Links of the message:')
  const inside = await loadFrame(tab)
  const ways = tab.all('main a[target]')
  expect(ways.map((way) => [way.getAttribute('href'), way.textContent])).toEqual([
    ['https://a.example/x', 'Read on'],
    ['http://b.example/', 'http://b.example/'],
  ])
  expect(ways.map((way) => [way.getAttribute('target'), way.getAttribute('rel')])[0]).toEqual([
    ...['_blank', 'noopener noreferrer'],
  ])
  expect([tab.text('main').includes('Links of the message:'), inside.querySelector('a[href]')]).toEqual([true, null])
  expect(sized.map(({ target }) => target)).toEqual([inside.body])
  Object.defineProperty(inside.documentElement, 'offsetHeight', { value: 321 })
  await sized[0]!.tell()
  expect(frame.style.blockSize).toBe('321px')
  expect([tab.button('Desk'), tab.button('Phone')].map((one) => one.getAttribute('aria-pressed'))).toEqual([
    ...['true', 'false'],
  ])
  await tab.press('Phone')
  expect(tab.button('Desk').getAttribute('aria-pressed')).toBe('false')
  await tab.press('Desk')
  expect(frame.style.cssText).toContain('680px')
  expect(sized[0]!.isOver).toBe(false)
  await tab.press('Source')
  expect(sized[0]!.isOver).toBe(true)
})

test('Headers are listed one by one, and the source with its size in bytes.', async () => {
  await openMessage('?view=headers')
  expect(tab.texts('main dt').slice(3)).toEqual(['x-one', 'received', 'received'])
  expect(tab.texts('main dd').slice(3)).toEqual(['1', 'a', 'b'])
  await openMessage('?view=source')
  expect(tab.text('main')).toContain('Source, 11 bytes')
})

test('A message is waited for.', async () => {
  await visit(tab, '/mailbox/8', { 'POST /project/mailbox/get': () => new Promise(() => undefined) })
  expect([tab.text('h1'), tab.texts('.skeleton').length]).toEqual(['Message', 1])
})

test('A message that is gone says so.', async () => {
  await visit(tab, '/mailbox/9', { 'POST /project/mailbox/get': new Refusal(404, 'NOT_FOUND') })
  expect(tab.text('main')).toContain('The message could not be loaded.')
})
