/** The code of the pages in `site-pages.ts`. */
export const CONTENT_LOADERS = {
  'site/site/pages': () => import('./site/pages.tsx'),
  'site/site/page-editor': () => import('./site/page-editor.tsx'),
  'site/site/posts': () => import('./site/posts.tsx'),
  'site/site/post-editor': () => import('./site/post-editor.tsx'),
  'site/site/directories': () => import('./site/directories.tsx'),
  'site/site/directory': () => import('./site/directory.tsx'),
  'site/site/forms': () => import('./site/forms.tsx'),
  'site/site/form': () => import('./site/form.tsx'),
}
