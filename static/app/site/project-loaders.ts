/** The code of the pages in `project-pages.ts`. */
export const PROJECT_LOADERS = {
  'site/project/files': () => import('./project/files.tsx'),
  'site/project/mailbox': () => import('./project/mailbox.tsx'),
  'site/project/message': () => import('./project/message.tsx'),
  'site/project/members': () => import('./project/members.tsx'),
  'site/project/activity': () => import('./project/activity.tsx'),
  'site/project/apps': () => import('./project/apps.tsx'),
  'site/project/keys': () => import('./project/keys.tsx'),
  'site/project/settings': () => import('./project/settings.tsx'),
}
