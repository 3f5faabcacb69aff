import type { TemplateKind } from '../store/tables/sites.ts'

/** The product's own templates: plain pages that need no file and show only the project's own words. */

const STYLE = `<style>
  :root { color-scheme: light dark; background: light-dark(#fff, #16181a); --ink: light-dark(#1c1e21, #eceae5);
    --quiet: light-dark(#5c6066, #a3a7ad); --line: light-dark(#d9d6cf, #3a3e43);
    --link: light-dark({{ site.link_color }}, color-mix(in oklab, {{ site.color }} 35%, white)) }
  body { margin: 0 auto; padding: 24px; max-width: 42rem; color: var(--ink);
    font: 18px/1.6 Georgia, 'Times New Roman', serif; overflow-wrap: break-word }
  a { color: var(--link) }
  header, footer, nav, .about { color: var(--quiet); font: 15px/1.5 system-ui, sans-serif }
  header { padding-bottom: 16px; border-bottom: 1px solid var(--line) }
  header a { font-weight: 600; text-decoration: none }
  h1, h2 { line-height: 1.25; margin: 32px 0 8px }
  img, video, iframe { max-width: 100%; height: auto }
  pre, table { display: block; overflow-x: auto }
  nav { display: flex; justify-content: space-between; margin: 40px 0 }
  footer { margin-top: 48px; padding-top: 16px; border-top: 1px solid var(--line) }
</style>`

const HEAD = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="alternate" type="application/atom+xml" title="{{ site.name }}" href="{{ site.feed }}">`

const ABOUT =
  '<p class="about"><time datetime="{{ post.time }}">{{ post.date }}</time>' +
  '{{#post.author}} · {{ post.author }}{{/post.author}}{{#post.tags}} · {{ post.tags }}{{/post.tags}}</p>'

const PAGE = `<!doctype html>
<html lang="{{ site.language }}" dir="{{ site.direction }}">
<head>`

const HEADER = `<header><a href="{{ site.posts }}">{{ site.name }}</a></header>`
const FOOTER = `<footer><a href="{{ site.feed }}" type="application/atom+xml">Atom</a></footer>`

export const DEFAULT_TEMPLATES: Readonly<Record<TemplateKind, string>> = {
  post: `${PAGE}
${HEAD}
<title>{{ post.title }} · {{ site.name }}</title>
{{#post.excerpt}}<meta name="description" content="{{ post.excerpt }}">{{/post.excerpt}}
<link rel="canonical" href="{{ post.address }}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="{{ site.name }}">
<meta property="og:title" content="{{ post.title }}">
<meta property="og:url" content="{{ post.address }}">
{{#post.excerpt}}<meta property="og:description" content="{{ post.excerpt }}">{{/post.excerpt}}
<meta property="article:published_time" content="{{ post.time }}">
${STYLE}
</head>
<body>
${HEADER}
<main>
<article>
<h1>{{ post.title }}</h1>
${ABOUT}
{{ post.content }}
</article>
</main>
${FOOTER}
</body>
</html>
`,
  index: `${PAGE}
${HEAD}
<title>{{ site.name }}</title>
${STYLE}
</head>
<body>
<main>
<h1>{{ site.name }}</h1>
{{#posts}}
<article>
<h2><a href="{{ post.url }}">{{ post.title }}</a></h2>
${ABOUT}
{{#post.excerpt}}<p>{{ post.excerpt }}</p>{{/post.excerpt}}
</article>
{{/posts}}
<nav>
<span>{{#page.newer}}<a href="{{ page.newer }}" rel="prev">← {{ page.newer_number }}</a>{{/page.newer}}</span>
<span>{{#page.older}}<a href="{{ page.older }}" rel="next">{{ page.older_number }} →</a>{{/page.older}}</span>
</nav>
</main>
${FOOTER}
</body>
</html>
`,
}
