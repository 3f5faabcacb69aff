import { LETTER_PAGES } from '../letter/pages.ts'
import type { AppPage } from '../../../src/shared/app-pages.ts'
import { HOME_CAMPAIGNS, HOME_CONNECTIONS } from './home/home-requests.ts'
import { AUDIENCE_PAGES } from './audience-pages.ts'
import { importsRequest } from '../import/imports-request.ts'
import { campaignsRequest } from './campaigns/campaigns-request.ts'
import { PROJECT_PAGES } from './project-pages.ts'
import { CONTENT_PAGES } from './site-pages.ts'

/** The pages below `/portal/projects/:project`. */
export const SITE_PAGES: readonly AppPage[] = [
  {
    path: '/',
    source: 'site/home/home',
    title: 'Home',
    first: () => [
      { operation: 'overview', body: {} },
      { operation: 'campaigns/list', body: HOME_CAMPAIGNS },
      { operation: 'connections/list', body: HOME_CONNECTIONS },
      { operation: 'settings/get', body: {} },
    ],
  },
  {
    path: '/campaigns',
    source: 'site/campaigns/campaigns',
    title: 'Campaigns',
    first: ({ query }) => [{ operation: 'campaigns/list', body: campaignsRequest(query) }],
  },
  {
    path: '/campaigns/new',
    source: 'site/campaigns/new-campaign',
    title: 'New campaign',
    role: 'editor',
    first: () => [{ operation: 'templates/list', body: {} }],
  },
  {
    path: '/campaigns/:id/review',
    source: 'site/campaigns/review',
    title: 'Review',
    first: ({ params }) => [
      { operation: 'campaigns/get', body: { campaign_id: Number(params.id) } },
      { operation: 'settings/get', body: {} },
    ],
  },
  {
    path: '/campaigns/:id',
    source: 'site/report/report',
    title: 'Campaign',
    first: ({ params }) => [
      { operation: 'campaigns/get', body: { campaign_id: Number(params.id) } },
      { operation: 'campaigns/stats', body: { campaign_id: Number(params.id) } },
    ],
  },
  ...AUDIENCE_PAGES,
  ...LETTER_PAGES,
  ...PROJECT_PAGES,
  ...CONTENT_PAGES,
  {
    path: '/sending',
    source: 'site/sending/sending',
    title: 'Sending',
    first: () => [
      { operation: 'connections/list', body: HOME_CONNECTIONS },
      { operation: 'settings/get', body: {} },
    ],
  },
  { path: '/sending/new', source: 'site/sending/new-connection', title: 'Add connection', role: 'administrator' },
  { path: '/sending/health', source: 'site/sending/health', title: 'Deliverability' },
  {
    path: '/sending/sender',
    source: 'site/sending/sender',
    title: 'Sender',
    first: () => [{ operation: 'settings/get', body: {} }],
  },
  {
    path: '/sending/:id',
    source: 'site/sending/connection',
    title: 'Connection',
    first: () => [
      { operation: 'connections/list', body: HOME_CONNECTIONS },
      { operation: 'settings/get', body: {} },
    ],
  },
  {
    path: '/imports',
    source: 'import/imports',
    title: 'Imports',
    first: ({ query }) => [{ operation: 'imports/list', body: importsRequest(query) }],
  },
  { path: '/imports/new', source: 'import/new-import', title: 'Import contacts', role: 'editor' },
  {
    path: '/imports/:id',
    source: 'import/import',
    title: 'Import',
    first: ({ params }) => [{ operation: 'imports/get', body: { import_id: Number(params.id) } }],
  },
  {
    path: '/templates',
    source: 'site/templates/templates',
    title: 'Templates',
    first: () => [{ operation: 'templates/list', body: {} }],
  },
]
