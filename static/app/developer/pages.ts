import type { AppPage } from '../../../src/shared/app-pages.ts'

/** The pages below `/portal/developer`. */
export const DEVELOPER_PAGES: readonly AppPage[] = [
  { path: '/', source: 'developer/apps', title: 'Apps' },
  { path: '/api', source: 'developer/api', title: 'API' },
  { path: '/apps/:id', source: 'developer/app', title: 'App' },
  { path: '/apps/:id/permissions', source: 'developer/permissions', title: 'Permissions' },
  { path: '/apps/:id/credentials', source: 'developer/credentials', title: 'Credentials' },
  { path: '/apps/:id/scripts', source: 'developer/scripts', title: 'Scripts' },
  { path: '/apps/:id/scripts/:scriptId', source: 'developer/script', title: 'Script', style: 'code' },
  { path: '/apps/:id/listing', source: 'developer/listing', title: 'Listing' },
  { path: '/apps/:id/versions/:versionId', source: 'developer/version', title: 'Version' },
  { path: '/apps/:id/versions', source: 'developer/versions', title: 'Versions' },
  { path: '/apps/:id/requests', source: 'developer/requests', title: 'Requests' },
  { path: '/apps/:id/try', source: 'developer/try', title: 'The first call' },
  { path: '/apps/:id/team', source: 'developer/team', title: 'Team' },
]
