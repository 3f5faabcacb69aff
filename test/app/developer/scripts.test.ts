import { expect, test } from 'bun:test'
import { AT, appAnswers, ROUTE } from '../../support/developer-app.ts'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Scripts from '../../../static/app/developer/scripts.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
const MAKE = 'POST /user/developer/apps/app_1/scripts'
const script = {
  id: 5,
  name: 'Banner',
  type: 'Analytics',
  placement: 'HTML Head',
  code: 'x'.repeat(38_912),
  last_update: AT,
}
async function open(scripts: object[] = [script]) {
  Object.assign(tab.answers, appAnswers(), { [`${ROUTE}/scripts`]: { scripts } })
  await tab.open(Scripts, '/apps/app_1/scripts', { id: 'app_1' })
}

test('Scripts have their size and lead to their pages.', async () => {
  await open()
  expect(rowsOf(tab, 'Scripts')[0]!.slice(0, 5)).toEqual(['Banner', '5', 'Analytics', 'HTML Head', '38 kB'])
  expect(tab.button('Banner').getAttribute('href')).toBe('/portal/developer/apps/app_1/scripts/5')
  await open([{ ...script, code: 'é'.repeat(19_456) }])
  expect(rowsOf(tab, 'Scripts')[0]![4]).toBe('38 kB')
})

test('A new script has a name and begins with an example, and its page opens.', async () => {
  tab.answers[MAKE] = { script }
  await open([])
  expect(tab.text()).toContain('A script is code that site owners let onto their pages.')
  await tab.press('New script')
  await tab.type('Name', ' ')
  expect(tab.text('dialog')).toContain('Write a name first.')
  await tab.press('Make the script')
  expect(tab.sent(MAKE)).toEqual([])
  await tab.type('Name', 'Banner')
  await tab.press('Make the script')
  expect(tab.sent(MAKE)[0]).toMatchObject({
    ...{ name: 'Banner', type: 'Functional', placement: 'HTML Body end', parameters: { greeting: 'Hello' } },
    code: expect.stringContaining('{{greeting}}'),
  })
  expect(tab.address).toBe('/apps/app_1/scripts/5')
})

test('Its type and place are chosen, and a refusal stays beside them.', async () => {
  tab.answers[MAKE] = new Refusal(409, 'CONFLICT', undefined, 'There is one of this name.')
  await open()
  await tab.press('New script')
  await tab.type('Name', 'Banner')
  await tab.type('Type', 'Essential')
  await tab.type('Placement', 'HTML Head')
  await tab.press('Make the script')
  expect(tab.sent(MAKE)[0]).toMatchObject({ type: 'Essential', placement: 'HTML Head' })
  expect(tab.text('dialog')).toContain('There is one of this name.')
  await tab.press('Not now')
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Scripts that cannot be loaded are asked for again.', async () => {
  Object.assign(tab.answers, appAnswers(), { [`${ROUTE}/scripts`]: new Refusal(403, 'FORBIDDEN') })
  await tab.open(Scripts, '/apps/app_1/scripts', { id: 'app_1' })
  expect(tab.text()).toContain('Scripts could not be loaded.')
  tab.answers[`${ROUTE}/scripts`] = { scripts: [script] }
  await tab.press('Try again')
  expect(rowsOf(tab, 'Scripts')[0]![0]).toBe('Banner')
})
