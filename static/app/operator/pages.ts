import type { AppPage } from '../../../src/shared/app-pages.ts'

/** The pages below `/portal/operator`. */
export const OPERATOR_PAGES: readonly AppPage[] = [
  { path: '/', source: 'operator/reviews', title: 'Reviews' },
  { path: '/reviews', source: 'operator/reviews', title: 'Reviews' },
  { path: '/reviews/:id', source: 'operator/review', title: 'Review' },
  { path: '/apps', source: 'operator/apps', title: 'Apps' },
  { path: '/projects', source: 'operator/projects', title: 'Projects' },
  { path: '/people', source: 'operator/people', title: 'People' },
  { path: '/health', source: 'operator/health', title: 'Health' },
  { path: '/service', source: 'operator/service', title: 'Service' },
]
