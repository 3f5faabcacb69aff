import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import CampaignLetter from '../../../static/app/letter/campaign-letter.tsx'
import TemplateLetter from '../../../static/app/letter/template-letter.tsx'

const tab = useTab({}, { 'schema/get': new Promise(() => {}) })
const open = () => tab.open(CampaignLetter, '/campaigns/7/edit', { id: '7' })

test.each(['sending', 'sent', 'paused', 'preparing', 'cancelled', 'archived'])(
  'The letter of a campaign that is %s is its report.',
  async (status) => {
    tab.answers['campaigns/get'] = { campaign: { status } }
    await open()
    expect(tab.sent('campaigns/get')).toMatchObject([{ campaign_id: 7 }])
    expect([tab.address, tab.pushed]).toEqual(['/campaigns/7', []])
    tab.answers['schema/get'] = {}
    await open()
    expect(tab.text()).toBe('WriteLoading…')
  },
)

test.each(['draft', 'scheduled', 'failed'])('The letter of a campaign that is %s stays open.', async (status) => {
  tab.answers['campaigns/get'] = { campaign: { status } }
  await open()
  expect(tab.address).toBe('/campaigns/7/edit')
})

test('A letter that cannot be loaded is asked for again, whatever of it is missing.', async () => {
  tab.answers['campaigns/get'] = new Refusal(404, 'NOT_FOUND', undefined, 'It is gone.')
  await open()
  expect(tab.text()).toContain('The letter could not be loaded.It is gone.')
  await tab.press('Try again')
  expect(tab.sent('campaigns/get')).toHaveLength(2)
  tab.answers['campaigns/get'] = { campaign: { status: 'draft' } }
  tab.answers['schema/get'] = new Refusal(403, 'FORBIDDEN', undefined, 'You may not.')
  await open()
  expect(tab.text()).toContain('The letter could not be loaded.You may not.')
})

test('A template that cannot be loaded is asked for again.', async () => {
  tab.answers['templates/get'] = new Refusal(404, 'NOT_FOUND', undefined, 'It is gone.')
  await tab.open(TemplateLetter, '/templates/3', { id: '3' })
  expect(tab.text()).toContain('The template could not be loaded.It is gone.')
  await tab.press('Try again')
  expect(tab.sent('templates/get')).toMatchObject([{ template_id: 3 }, { template_id: 3 }])
})
