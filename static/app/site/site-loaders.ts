/** The code of the pages in `site-pages.ts`. */
export const CONTENT_LOADERS = {
  'site/site/pages': () => import('./site/pages.tsx'),
  'site/site/page-editor': () => import('./site/page-editor.tsx'),
}
