/** The code of the pages in `project-pages.ts`. */
export const PROJECT_LOADERS = {
  'site/project/members': () => import('./project/members.tsx'),
}
