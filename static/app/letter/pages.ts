import type { AppPage } from '../../../src/shared/app-pages.ts'
import { PAGE } from '../rules/page-size.ts'

const REST = [
  { operation: 'schema/get', body: {} },
  { operation: 'settings/get', body: {} },
  { operation: 'custom-fields/list', body: { limit: PAGE } },
]

/** The pages that edit a letter. */
export const LETTER_PAGES: readonly AppPage[] = [
  {
    path: '/campaigns/:id/edit',
    source: 'letter/campaign-letter',
    title: 'Write',
    role: 'editor',
    style: 'letter',
    first: ({ params }) => [{ operation: 'campaigns/get', body: { campaign_id: Number(params.id) } }, ...REST],
  },
  {
    path: '/templates/:id',
    source: 'letter/template-letter',
    title: 'Template',
    role: 'editor',
    style: 'letter',
    first: ({ params }) => [{ operation: 'templates/get', body: { template_id: Number(params.id) } }, ...REST],
  },
]
