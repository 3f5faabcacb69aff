import type { AppPage } from '../../../src/shared/app-pages.ts'

/** The pages about the content of the site and the entries of its forms. */
export const CONTENT_PAGES: readonly AppPage[] = [
  { path: '/pages', source: 'site/site/pages', title: 'Pages' },
  { path: '/pages/new', source: 'site/site/page-editor', title: 'New page', role: 'editor', style: 'code' },
  { path: '/pages/:id', source: 'site/site/page-editor', title: 'Page', style: 'code' },
  { path: '/posts', source: 'site/site/posts', title: 'Posts', style: 'code' },
  { path: '/posts/:id', source: 'site/site/post-editor', title: 'Post', style: 'code' },
  { path: '/directory', source: 'site/site/directories', title: 'Directory' },
  { path: '/directory/:name', source: 'site/site/directory', title: 'Directory' },
  { path: '/forms', source: 'site/site/forms', title: 'Forms' },
  { path: '/forms/:name', source: 'site/site/form', title: 'Form' },
]
