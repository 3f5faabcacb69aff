/** The code of the pages in `audience-pages.ts`. */
export const AUDIENCE_LOADERS = {
  'site/sign-up-form/sign-up-form': () => import('./sign-up-form/sign-up-form.tsx'),
  'site/fields/fields': () => import('./fields/fields.tsx'),
  'site/lists/lists': () => import('./lists/lists.tsx'),
  'site/suppressions/suppressions': () => import('./suppressions/suppressions.tsx'),
  'site/segments/segments': () => import('./segments/segments.tsx'),
  'site/segments/segment': () => import('./segments/segment.tsx'),
  'site/contact/contact': () => import('./contact/contact.tsx'),
  'site/contacts/contacts': () => import('./contacts/contacts.tsx'),
}
