import { useEffect, useRef, useState } from 'preact/hooks'
import type { SignUpForm } from '../../api/operations.d.ts'
import { showLetter } from '../../letter/preview-frame.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code, CopyButton } from '../../ui/code.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { toast } from '../../ui/toast.tsx'

/** The address of a form's page, and its HTML for a site, with a preview. */
export function FormShare({ form }: { form: SignUpForm }) {
  const { url, embed_html } = form
  const copy = async () => {
    try {
      await copyText(embed_html)
      toast({ text: 'The HTML is copied.', tone: 'good' })
    } catch {
      toast({ text: 'This browser did not let the text be copied.', tone: 'bad' })
    }
  }
  return (
    <div class="stack">
      <Card title="Its own page">
        <div class="row row-apart">
          <a class="form-url" href={url} target="_blank" rel="noopener">
            {url}
          </a>
          <CopyButton text={url} label="Copy the address" />
        </div>
      </Card>
      <Card
        title="For your site"
        actions={
          <Button main kind="primary" icon="copy" onClick={() => void copy()}>
            Copy the HTML
          </Button>
        }
      >
        <div class="stack">
          <p class="quiet">
            {embed_html.includes('<script')
              ? 'Paste it into any page of any site. It sets no cookie. Its script solves the task that keeps robots out.'
              : 'Paste it into any page of any site. It needs no script and sets no cookie.'}
          </p>
          <Preview html={embed_html} />
          <Code label="HTML of the form" text={embed_html} copy={false} wrap />
        </div>
      </Card>
    </div>
  )
}

/** The form as a site without style sheets shows it. The preview cannot send. */
function Preview({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const [height, setHeight] = useState(240)
  useEffect(() => {
    if (!isLoaded) return
    const style = 'body{font:15px system-ui,sans-serif;margin:16px;background:#fff;color:#1c1e21}'
    const page = `<!doctype html><meta charset="utf-8"><style>${style}</style>${html}`
    showLetter(frame.current!, { html: page, dark: false })
    setHeight(frame.current!.contentDocument!.documentElement.scrollHeight)
  }, [html, isLoaded])
  return (
    <iframe
      ref={frame}
      class="form-preview"
      title="How the form looks on a site"
      src="/portal/preview-frame"
      sandbox="allow-same-origin"
      style={`block-size:${height}px`}
      onLoad={() => setLoaded(true)}
    />
  )
}
