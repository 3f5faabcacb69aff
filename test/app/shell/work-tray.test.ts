import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import { h } from 'preact'
import type { Job } from '../../../static/app/api/operations.d.ts'
import { shownJobs } from '../../../static/app/job.ts'
import { WorkTray } from '../../../static/app/shell/work-tray.tsx'
import { ToastRegion } from '../../../static/app/ui/toast.tsx'
import { campaign, page } from '../../support/answers.ts'
import { type Answers, asked, inTime } from '../../support/visit.ts'

const tab = useTab()
const AT = '2026-05-03T12:00:00.000Z'
const job = (id: number, more: Partial<Job> = {}): Job => ({
  ...{ id, kind: 'bulk', action: 'add_tags', about: { type: 'tag', id: 5, name: 'VIP' }, status: 'running' },
  ...{ processed: 1_200, total: 5_000, error: null, attempts: 1, created_at: AT, updated_at: AT },
  ...more,
})

async function open(answers: Answers = {}) {
  Object.assign(tab.answers, { 'jobs/list': page(), 'campaigns/list': page(), ...answers })
  await tab.draw(h('div', null, h(WorkTray, null), h(ToastRegion, null)))
}

test('Work whose end is not known yet has no share, and a campaign without a name has its subject.', async () => {
  await open({
    'jobs/list': page(job(1, { total: null }), job(2, { total: 1_200 }), job(3, { processed: 0 })),
    'campaigns/list': page(campaign({ name: '', subject: 'Hello' })),
    'campaigns/stats': new Refusal(403, 'FORBIDDEN'),
  })
  expect(tab.text('.tray')).toBe('4')
  expect(tab.sent('campaigns/stats')).toEqual([])
  await tab.press('Running work: 4')
  const bars = tab.all('.tray-list [role=progressbar]')
  expect(bars.map((bar) => [bar.getAttribute('aria-label'), bar.getAttribute('aria-valuenow')])).toEqual([
    ['Sending: Hello', null],
    ['Tagging contacts: VIP', null],
    ['Tagging contacts: VIP', '100'],
    ['Tagging contacts: VIP', '0'],
  ])
  expect(tab.all('.tray-list a').map((way) => way.getAttribute('href'))).toEqual(
    ['/campaigns/5', '/lists', '/lists', '/lists', '/activity'].map((path) => tab.data.scope + path),
  )
  expect(tab.text('.tray-list')).not.toContain('Nothing runs now.')
  expect(asked(tab, 'campaigns/stats')[0]).toEqual({ campaign_id: 5 })
})

test('Nothing that runs is looked for every minute, and what runs every five seconds.', async () => {
  await inTime(tab, async (pass) => {
    await open()
    expect([tab.text('.tray'), tab.find('.tray').hasAttribute('data-busy')]).toEqual(['', false])
    await pass(59_999)
    expect([tab.sent('jobs/list').length, tab.sent('campaigns/list').length]).toEqual([1, 1])
    tab.answers['jobs/list'] = page(job(1))
    tab.answers['jobs/get'] = { job: job(1) }
    await pass(1)
    expect([tab.text('.tray'), tab.find('.tray').hasAttribute('data-busy')]).toEqual(['1', true])
    const before = tab.sent('jobs/list').length
    await pass(5_000)
    expect(tab.sent('jobs/list').length - before).toBe(1)
  })
})

test.each<[Job['status'], string[], boolean]>([
  ['completed', ['Tagging contacts: VIP: done'], true],
  ['failed', ['Tagging contacts: VIP: failed'], false],
  ['cancelled', ['Tagging contacts: VIP: cancelled'], false],
  ['queued', [], false],
  ['running', [], false],
])('A job that is %s is announced if that is its end, once.', async (status, said, isGood) => {
  await inTime(tab, async (pass) => {
    await open({ 'jobs/list': page(job(1), job(2)), 'jobs/get': { job: job(1, { status }) } })
    tab.answers['jobs/list'] = page(job(2))
    await pass(5_000)
    await pass(5_000)
    expect(asked(tab, 'jobs/get')).toEqual([{ job_id: 1 }])
    expect(tab.texts('.toast-text')).toEqual(said)
    expect(tab.all('.toast.tone-good')).toHaveLength(isGood ? 1 : 0)
    if (said.length === 0) return
    await tab.press('Show it')
    expect(tab.left).toEqual([`${tab.data.scope}/lists`])
  })
})

test('An end that the page shows, or that is announced with a campaign, is not announced.', async () => {
  await inTime(tab, async (pass) => {
    const ended = [
      job(1),
      job(2, { kind: 'import', action: null, about: { type: 'import', id: 4, name: 'fair.csv' } }),
      job(3, { kind: 'campaign_prepare', action: null, about: { type: 'campaign', id: 5, name: 'May' } }),
    ]
    shownJobs.add(1)
    tab.atEnd(() => shownJobs.clear())
    history.replaceState(null, '', `${tab.data.scope}/imports/4`)
    await open({
      'jobs/list': page(...ended),
      'jobs/get': ({ job_id }: { job_id: number }) => ({ job: { ...ended[job_id - 1], status: 'completed' } }),
    })
    tab.answers['jobs/list'] = page()
    await pass(5_000)
    expect([asked(tab, 'jobs/get'), tab.texts('.toast-text')]).toEqual([[{ job_id: 3 }], []])
  })
})

test.each<[string, string[], boolean]>([
  ['sent', ['“May”: sent'], true],
  ['cancelled', ['“May”: cancelled'], false],
  ['sending', [], false],
])('A campaign that is %s is announced on every page but its own.', async (status, said, isGood) => {
  await inTime(tab, async (pass) => {
    const shown = campaign({ id: 5, name: 'May', status: status as never })
    for (const at of ['', '/campaigns/5']) {
      history.replaceState(null, '', tab.data.scope + at)
      await open({ 'campaigns/list': page(shown), 'campaigns/get': { campaign: shown } })
      tab.answers['campaigns/list'] = page()
      await pass(5_000)
      expect(tab.texts('.toast-text')).toEqual(at === '' ? said : [])
      expect(tab.all('.toast.tone-good')).toHaveLength(at === '' && isGood ? 1 : 0)
      if (at !== '' || said.length === 0) continue
      await tab.press('Show it')
      expect(tab.left).toEqual([`${tab.data.scope}/campaigns/5`])
    }
    expect(asked(tab, 'campaigns/get')).toEqual([{ campaign_id: 5 }])
  })
})

test('Work that cannot be looked at any more ends in silence.', async () => {
  await inTime(tab, async (pass) => {
    await open({
      'jobs/list': page(job(1)),
      'campaigns/list': page(campaign()),
      'jobs/get': new Refusal(404, 'NOT_FOUND'),
      'campaigns/get': new Refusal(404, 'NOT_FOUND'),
    })
    tab.answers['jobs/list'] = page()
    tab.answers['campaigns/list'] = page()
    await pass(5_000)
    expect([tab.sent('jobs/get').length, tab.sent('campaigns/get').length]).toEqual([1, 1])
    expect(tab.texts('.toast-text')).toEqual([])
  })
})
