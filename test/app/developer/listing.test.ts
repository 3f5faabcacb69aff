import { expect, test } from 'bun:test'
import { APP, appAnswers, LISTING, ROUTE } from '../../support/developer-app.ts'
import { Refusal, useTab, chooseFiles } from '../../support/tab.ts'
import Listing from '../../../static/app/developer/listing.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
const SAVE = 'PUT /user/developer/apps/app_1/listing'
const UPLOAD = 'POST /user/developer/apps/app_1/images'
const own = (name: string) => `https://masthead.example/files/${name}`
async function open(listing: object = {}) {
  Object.assign(tab.answers, appAnswers(), { [`${ROUTE}/listing`]: { listing: { ...LISTING, ...listing } } })
  tab.answers[SAVE] = (sent: object) => ({ listing: sent })
  await tab.open(Listing, '/apps/app_1/listing', { id: 'app_1' })
}
const saved = () => tab.text('.form-saved')
async function choose(at: number, name: string) {
  const input = tab.all('input[type=file]')[at]! as HTMLInputElement
  chooseFiles(input, name === '' ? [] : [new File(['x'], name)])
  await tab.settled()
  expect(input.value).toBe('')
}

test('A listing is shown as site owners see it while it is written, and saved as it is.', async () => {
  await open({ category: 'Sea' })
  expect(tab.texts('.card p')).toEqual(['In one line', 'What it does', 'Sea'])
  expect(saved()).toBe('Saved')
  await tab.type('In one line', 'High water')
  await tab.type('What it does', 'It tells the time.')
  await tab.type('Category', '')
  expect(tab.texts('.card p')).toEqual(['High water', 'It tells the time.'])
  expect(saved()).toBe('Not saved yet')
  await tab.press('Save')
  const listing = { ...LISTING, tagline: 'High water', description: 'It tells the time.' }
  expect(tab.sent(SAVE)).toEqual([listing])
  expect(saved()).toBe('Saved')
})

test('A refusal leaves what was written.', async () => {
  await open()
  tab.answers[SAVE] = new Refusal(422, 'VALIDATION', undefined, 'The address is not valid.')
  await tab.type('Privacy policy', 'https://tides.example/privacy')
  await tab.press('Save')
  expect(tab.text()).toContain('Nothing was saved.The address is not valid.')
  expect([tab.field('Privacy policy').value, saved()]).toEqual(['https://tides.example/privacy', 'Not saved yet'])
  await tab.type('Privacy policy', '')
})

test('Pictures are uploaded: one is the icon, others stand behind each other until there are ten.', async () => {
  tab.answers[UPLOAD] = (_: unknown, { url }: { url: string }) => ({ image: { url: own(url.split('name=')[1]!) } })
  const shots = Array.from({ length: 8 }, (_, at) => own(`${at}.png`))
  await open({ screenshots: shots })
  await choose(0, 'i.png')
  expect(tab.find('.listing-icon').getAttribute('src')).toBe('/files/i.png')
  await choose(1, 'a b.png')
  await choose(1, '')
  expect(tab.texts('.listing-shots li')).toHaveLength(9)
  const shown = (shot: string) => tab.all(shot).map((image) => image.getAttribute('src'))
  expect(shown('.listing-shots img').at(-1)).toBe('/files/a%20b.png')
  expect(
    tab
      .all('.listing-shots img')
      .map((image) => image.getAttribute('alt'))
      .at(-1),
  ).toBe('Screenshot 9')
  expect(shown('.listing-shot').slice(0, 2)).toEqual(['/files/0.png', '/files/1.png'])
  await choose(1, 'last.png')
  expect(tab.all('input[type=file]')).toHaveLength(1)
  await tab.press('Remove screenshot 1')
  expect(tab.all('input[type=file]')).toHaveLength(2)
  await tab.press('Save')
  const [{ icon_url, screenshots }] = tab.sent(SAVE) as [typeof LISTING]
  expect([icon_url, screenshots]).toEqual([own('i.png'), [...shots.slice(1), own('a%20b.png'), own('last.png')]])
  expect(tab.calls.find(({ name }) => name === UPLOAD)!.body.get('file')).toBeInstanceOf(File)
})

test('A picture that was refused is told, and one from elsewhere is not loaded.', async () => {
  tab.answers[UPLOAD] = new Refusal(413, 'TOO_LARGE', undefined, 'It is too large.')
  await open({ icon_url: 'https://elsewhere.example/i.png' })
  expect(tab.find('.listing-icon').getAttribute('src') ?? '').toBe('')
  await choose(0, 'i.png')
  expect(tab.text()).toContain('It is too large.')
})

test('A listing that cannot be loaded is asked for again.', async () => {
  Object.assign(tab.answers, appAnswers(), { [`${ROUTE}/listing`]: new Refusal(403, 'FORBIDDEN') })
  await tab.open(Listing, '/apps/app_1/listing', { id: 'app_1' })
  expect(tab.text()).toContain('The listing could not be loaded.')
  Object.assign(tab.answers, { [`${ROUTE}/listing`]: { listing: LISTING } })
  await tab.press('Try again')
  expect(tab.text('.card strong')).toBe(APP.displayName)
})
