import { expect, test } from 'bun:test'
import { h } from 'preact'
import { AT, ROUTE } from '../../support/developer-app.ts'
import { Refusal, useTab } from '../../support/tab.ts'
import { TestProjects } from '../../../static/app/developer/test-projects.tsx'

const project = (id: string, role: 'owner' | 'administrator' | 'editor' | 'member') => ({
  id,
  slug: id,
  name: id,
  role,
})
const projects = [
  project('p1', 'member'),
  project('p2', 'owner'),
  project('p3', 'administrator'),
  project('p4', 'editor'),
]
const tab = useTab({ scope: '/portal/developer', project: null, projects })
const TESTS = `${ROUTE}/test-projects`
const MAKE = 'POST /user/developer/apps/app_1/test-projects'
const added = (project_id: string) => ({
  ...{ project_id, name: `Site ${project_id}`, slug: project_id },
  ...{ added_by: { email: 'ada@example.com' }, added_on: AT },
})
async function open(test_projects: object[] = []) {
  tab.answers[TESTS] = { test_projects }
  await tab.draw(h(TestProjects, { id: 'app_1' }))
}

test('The drafts go on the pages of a project that one administers and that has none yet.', async () => {
  await open([added('p2')])
  expect(tab.texts('option')).toEqual(['p3'])
  expect(tab.texts('li')[0]).toStartWith('Site p2by ada@example.com, since 3 May 2026')
  expect(tab.button('Site p2').getAttribute('href')).toBe('/sites/p2/')
  await open()
  expect(tab.texts('option')).toEqual(['p2', 'p3'])
  await tab.type('Project', 'p3')
  tab.answers[MAKE] = {}
  tab.answers[TESTS] = { test_projects: [added('p3')] }
  await tab.press('Put the drafts on its pages')
  expect(tab.sent(MAKE)).toEqual([{ project_id: 'p3' }])
  expect(tab.texts('li')).toHaveLength(1)
  expect(tab.field('Project').value).toBe('p2')
})

test('A test ends, and the project can have one again.', async () => {
  tab.answers['DELETE /user/developer/apps/app_1/test-projects/p2'] = {}
  await open([added('p2'), added('p3')])
  expect(tab.body.querySelector('form')).toBeNull()
  tab.answers[TESTS] = { test_projects: [added('p3')] }
  await tab.press('End the test in Site p2')
  expect(tab.texts('li')).toHaveLength(1)
  expect(tab.texts('option')).toEqual(['p2'])
})

test('A person who administers nothing is told where to make a project.', async () => {
  tab.data.projects = [project('p1', 'editor')]
  await open()
  expect(tab.text()).toContain('You administer no project. Make one to try the scripts in.')
  await open([added('p9')])
  expect(tab.text()).not.toContain('You administer no project.')
})

test('Each refusal is told.', async () => {
  const refusal = new Refusal(409, 'CONFLICT', undefined, 'Too many.')
  tab.answers['DELETE /user/developer/apps/app_1/test-projects/p2'] = refusal
  tab.answers[MAKE] = refusal
  await open([added('p2')])
  await tab.press('End the test')
  expect(tab.text()).toContain('Too many.')
  await tab.press('Put the drafts on its pages')
  expect(tab.text()).toContain('The drafts are not on its pages.Too many.')
  tab.answers[TESTS] = refusal
  await tab.draw(h(TestProjects, { id: 'app_1' }))
  expect(tab.text()).toContain('Test projects could not be loaded.Too many.')
})
