import type { Page } from '../page.ts'

/** The pages about the project itself: its people, keys, settings, work and apps. */
export const PROJECT_PAGES: readonly Page[] = [{ path: '/members', source: 'site/project/members', title: 'Members' }]
