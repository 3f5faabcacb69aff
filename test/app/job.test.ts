import { expect, test } from 'bun:test'
import { useTab } from '../support/tab.ts'
import type { Job } from '../../static/app/api/operations.d.ts'
import { jobHref, jobName } from '../../static/app/job.ts'

const tab = useTab()
const job = (more: Partial<Job>) => ({ kind: 'bulk', action: null, about: null, ...more }) as Job

test.each([
  ['campaign', '/campaigns/5'],
  ['import', '/imports/5'],
  ['segment', '/segments/5'],
  ['list', '/lists'],
  ['tag', '/lists'],
] as const)('A job about a %s leads to %s, and says its name.', (type, path) => {
  const about = { type, id: 5, name: 'May' }
  expect(jobHref(job({ about }))).toBe(tab.data.scope + path)
  expect(jobName(job({ about, action: 'delete' }))).toBe('Deleting contacts: May')
})
