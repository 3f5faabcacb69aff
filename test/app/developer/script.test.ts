import { beforeEach, expect, jest, test } from 'bun:test'
import { h } from 'preact'
import { appAnswers, ROUTE } from '../../support/developer-app.ts'
import { Refusal, useTab } from '../../support/tab.ts'
import { ScriptFrame } from '../../../static/app/app-review/script-frame.tsx'
import ScriptPage from '../../../static/app/developer/script.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
/** The script of a test, whose draft no other test left. */
let id = 4
let SCRIPT: string
let SAVE: string
beforeEach(() => {
  id++
  SCRIPT = `${ROUTE}/scripts/${id}`
  SAVE = `PATCH /user/developer/apps/app_1/scripts/${id}`
})
const RENDER = 'POST /user/developer/apps/app_1/scripts/render'
const script = (more: object = {}) => ({
  ...{ id, name: 'Banner', type: 'Analytics', placement: 'HTML Head', last_update: '2026-05-03T12:00:00.000Z' },
  ...{ code: '<b>{{greeting}} {{who}}</b>', parameters: { greeting: 'Hi', old: 1 }, parameter_formats: {} },
  ...more,
})
const rendered = { code: '<b>Hi {{who}}</b>', keys: ['greeting', 'who'], problem: null, problem_at: null }
async function open(more: object = {}, answer: object = rendered, on_pages = true) {
  Object.assign(tab.answers, appAnswers(), { [SCRIPT]: { script: script(more), on_pages } })
  tab.answers[SAVE] = (sent: object) => ({ script: { ...script(), ...sent } })
  tab.answers[RENDER] = answer
  await tab.open(ScriptPage, `/apps/app_1/scripts/${id}`, { id: 'app_1', scriptId: String(id) })
}

test('A script is tried with the parameters that have a value, and saved with those that its code names.', async () => {
  await open({ parameters: { greeting: 'Hi', old: 1, who: null } })
  expect(tab.sent(RENDER)).toEqual([
    { code: script().code, parameters: { greeting: 'Hi', old: '1' }, parameter_formats: {} },
  ])
  expect(tab.text('.page-lead')).toContain('27 bytes of 64 kB · Saved')
  await tab.type('Name', 'Banners')
  await tab.type('Type', 'Essential')
  await tab.type('Placement', 'HTML Body end')
  expect(tab.text('.page-lead')).toContain('Not saved yet')
  await tab.press('Save')
  const { name, type, placement, code, parameters } = tab.sent(SAVE)[0]
  expect([name, type, placement, code]).toEqual(['Banners', 'Essential', 'HTML Body end', script().code])
  expect(parameters).toEqual({ greeting: 'Hi' })
  expect(tab.text('.page-lead')).toContain('Saved')
})

test('The key that saves elsewhere saves here too.', async () => {
  await open()
  await tab.type('Name', 'B')
  await tab.key('s', { metaKey: true })
  await tab.key('S', { ctrlKey: true })
  await tab.key('s')
  expect(tab.sent(SAVE)).toHaveLength(2)
  await tab.type('Name', 'Banner')
})

test('A script that no page runs saves itself, and stops once pages run it.', async () => {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  await open({}, rendered, false)
  await tab.type('Name', 'Tide')
  await tab.pass(1500)
  const conditions = { expected_updated_at: script().last_update, unless_on_pages: true }
  expect(tab.sent(SAVE)).toMatchObject([{ name: 'Tide', parameters: { greeting: 'Hi', old: '1' }, ...conditions }])
  expect(tab.text('.page-lead')).toContain('Saved')

  tab.answers[SCRIPT] = { script: script({ name: 'Tide' }), on_pages: true }
  tab.answers[SAVE] = new Refusal(409, 'CONFLICT', undefined, 'Pages of projects show this script.')
  await tab.type('Name', 'Tides')
  await tab.pass(5000)
  await tab.settled()
  expect(tab.text()).toContain('it changes only when you press Save.')
  await tab.type('Name', 'Tides!')
  await tab.pass(10_000)
  expect(tab.sent(SAVE)).toHaveLength(2)
  expect(tab.field('Name').value).toBe('Tides!')
})

test('The code for sites is shown with the places that no value fills, and parameters have a field each.', async () => {
  await open()
  await tab.press('Rendered')
  expect(tab.text('.code code')).toBe('<b>Hi {{who}}</b>')
  expect(tab.texts('mark')).toEqual(['{{who}}'])
  await tab.press('Parameters')
  expect(tab.field('greeting').value).toBe('Hi')
  await tab.type('who', 'Ada')
  await tab.press('Save')
  expect(tab.sent(SAVE)[0].parameters).toEqual({ greeting: 'Hi', who: 'Ada' })
  await open({}, { ...rendered, keys: [] })
  await tab.press('Parameters')
  expect(tab.text()).toContain('The code names no parameter.')
})

test('A script that cannot be saved like this says why, and one that cannot be rendered too.', async () => {
  await open({}, { ...rendered, problem: 'It has no end.', problem_at: { from: 0, to: 3 } })
  expect(tab.text('.callout')).toBe('It cannot be saved like this.It has no end.')
  await open({}, new Refusal(422, 'VALIDATION'))
  expect(tab.text()).toContain('The script could not be rendered.')
  tab.answers[SAVE] = new Refusal(422, 'VALIDATION', undefined, 'It is too long.')
  await tab.press('Save')
  expect(tab.text()).toContain('It was not saved.It is too long.')
})

test('While the next answer is on its way, the last one stays.', async () => {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  await open()
  await tab.press('Parameters')
  const answer = Promise.withResolvers()
  tab.answers[RENDER] = () => answer.promise
  await tab.type('who', 'Ada')
  expect(tab.sent(RENDER)).toHaveLength(1)
  await tab.pass(400)
  expect(tab.sent(RENDER)[1]).toMatchObject({ parameters: { who: 'Ada' } })
  expect(tab.field('who').value).toBe('Ada')
  answer.resolve({ ...rendered, keys: ['who'] })
  await tab.settled()
  expect(tab.texts('label')).not.toContain('greeting')
  await tab.type('who', '')
})

test('It says what sites run while the author writes.', async () => {
  const live = { id: 30, number: 3, live: true }
  await open()
  expect(tab.text()).toContain('The sites of the team get what is saved. ')
  expect(tab.text()).toContain('it changes only when you press Save.')
  tab.answers[`${ROUTE}/versions`] = { versions: [{ id: 40, number: 4, live: false }, live] }
  await tab.open(ScriptPage, `/apps/app_1/scripts/${id}`, { id: 'app_1', scriptId: String(id) })
  expect(tab.text()).toContain('Sites run version 3 until a new version is approved.')
  expect(tab.button('version 3').getAttribute('href')).toBe('/portal/developer/apps/app_1/versions/30')
})

test('A script is deleted once that is confirmed, with what was written.', async () => {
  tab.answers[`DELETE /user/developer/apps/app_1/scripts/${id}`] = {}
  await open()
  await tab.type('Name', 'Gone')
  await tab.press('Delete…')
  expect(tab.text('dialog h2')).toBe('Delete Banner?')
  await tab.press('Delete 1 script')
  expect([tab.address, tab.pushed]).toEqual(['/apps/app_1/scripts', []])
  await open()
  expect(tab.field('Name').value).toBe('Banner')
})

const draw = (placement: string, code = '<i>x</i>') =>
  tab.draw(h(ScriptFrame, { code, placement: placement as 'HTML Head', label: 'Trial' }))
const page = () => decodeURIComponent(tab.find('iframe').getAttribute('src')!.split('#')[1]!)
const says = async (data: object, source: unknown = 'inside') => {
  Object.defineProperty(tab.find('iframe'), 'contentWindow', { value: 'inside', configurable: true })
  dispatchEvent(Object.assign(new Event('message'), { data, source }))
  await tab.settled()
}

test('Nothing runs before it is asked for, and then at its place in a page.', async () => {
  await draw('HTML Head')
  expect(tab.body.querySelector('iframe')).toBeNull()
  await tab.press('Run it in a sample page')
  expect(page()).toStartWith('<i>x</i><main')
  expect(tab.find('iframe').getAttribute('sandbox')).toBe('allow-scripts')
  await draw('HTML Body end')
  await tab.press('Run it in a sample page')
  expect(page()).toEndWith('</main><i>x</i>')
})

test('Storage that the sample page does not have is explained once it is asked for.', async () => {
  await draw('HTML Head')
  await tab.press('Run it in a sample page')
  await says({ kind: 'error', text: 'Something else broke.' })
  expect(tab.text()).not.toContain('It asked for cookies or storage.')
  await says({
    kind: 'error',
    text:
      "SecurityError: Failed to read the 'localStorage' property from 'Window': The document is sandboxed and lacks " +
      "the 'allow-same-origin' flag.",
  })
  expect(tab.text()).toContain('It asked for cookies or storage.')
})

test("The frame's messages are told: calls once each, and lines of the console with their kind.", async () => {
  await draw('HTML Head')
  await tab.press('Run it in a sample page')
  expect(tab.text()).toContain('None was seen.')
  expect(tab.text()).toContain('It said nothing.')
  for (const [kind, text] of [
    ...[
      ['request', 'https://a.example'],
      ['request', 'https://a.example'],
      ['blocked', 'https://b.example'],
    ],
    ...[
      ['log', 'one'],
      ['warn', 'two'],
      ['error', 'three'],
    ],
  ])
    await says({ kind, text })
  await says({ kind: 'log', text: 'from elsewhere' }, 'another window')
  await says({ kind: 'log', text: 5 })
  expect(tab.texts('ul[aria-label="Network calls"] li')).toEqual(['https://a.example', 'Stopped: https://b.example'])
  expect(tab.texts('ul[aria-label="Console"] li')).toEqual(['one', 'warn two', 'error three'])
  const before = tab.find('iframe')
  await tab.press('Run it again')
  expect(tab.find('iframe')).not.toBe(before)
  expect(tab.text()).toContain('It said nothing.')
})

test('Of what is said the last two hundred lines stay.', async () => {
  await draw('HTML Head')
  await tab.press('Run it in a sample page')
  for (let at = 0; at < 202; at++) await says({ kind: 'log', text: `line ${at}` })
  const lines = tab.texts('ul[aria-label="Console"] li')
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([200, 'line 2', 'line 201'])
})
