/** The code of the pages in `audience-pages.ts`. */
export const AUDIENCE_LOADERS = {
  'site/contact/contact': () => import('./contact/contact.tsx'),
  'site/contacts/contacts': () => import('./contacts/contacts.tsx'),
}
