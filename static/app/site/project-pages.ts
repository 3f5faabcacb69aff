import type { AppPage } from '../../../src/shared/app-pages.ts'
import { jobsRequest } from './project/jobs-request.ts'

/** The pages about the project itself: members, keys, settings, jobs and apps. */
export const PROJECT_PAGES: readonly AppPage[] = [
  { path: '/apps', source: 'site/project/apps', title: 'Apps & scripts' },
  { path: '/files', source: 'site/project/files', title: 'Files' },
  { path: '/mailbox', source: 'site/project/mailbox', title: 'Mailbox' },
  { path: '/mailbox/:id', source: 'site/project/message', title: 'Message' },
  { path: '/members', source: 'site/project/members', title: 'Members' },
  {
    path: '/activity',
    source: 'site/project/activity',
    title: 'Activity',
    first: ({ query }) => (query.tab === 'people' ? [] : [{ operation: 'jobs/list', body: jobsRequest(query) }]),
  },
  { path: '/keys', source: 'site/project/keys', title: 'API keys' },
  { path: '/settings', source: 'site/project/settings', title: 'Settings' },
]
