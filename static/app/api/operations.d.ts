// Written by bin/operation-types.ts. Do not edit.

/** The newsletter operations by path. `response` is the `data` of the answer. */
export interface Operations {
  /** Describes email documents, merge tags, the fields and operators of rules for the project's contacts, and limits. */
  'schema/get': {
    kind: 'read'
    request: Record<string, never>
    response: {
      document_version: number
      block_types: Array<{
        type: string
        description: string
        /** A JSON Schema. */
        props: Record<string, unknown>
      }>
      merge_tags: Array<{ tag: string; description: string; example: string }>
      rule_fields: Array<{ field: string; type: string; operators: string[] }>
      engagement_conditions: Array<{
        field: string
        description: string
        /** A JSON Schema. */
        value: Record<string, unknown>
      }>
      operators: Record<string, string[]>
      import_options: Record<string, Record<string, unknown>>
      limits: Record<string, number>
    }
  }
  /** Counts contacts, lists, campaigns and sent messages, and shows the growth of the audience by day. */
  overview: {
    kind: 'read'
    request: Record<string, never>
    response: {
      contacts: {
        total: number
        by_status: {
          pending: number
          subscribed: number
          unsubscribed: number
          bounced: number
          complained: number
        }
      }
      /** Lists that are not archived, oldest first. */
      lists: Array<{ id: number; name: string; subscribed: number; pending: number }>
      campaigns: {
        total: number
        by_status: {
          draft: number
          scheduled: number
          preparing: number
          sending: number
          sent: number
          paused: number
          cancelled: number
          failed: number
        }
      }
      sending: {
        last_24_hours: number
        /** Since the first of the month, UTC. */
        this_month: number
        monthly_limit: number | null
      }
      /** The last 30 days (UTC), today last. */
      growth: Array<{
        date: string
        /** Contacts created that day, without those that wait for confirmation. */
        subscribed: number
        /** Contacts that unsubscribed that day. */
        unsubscribed: number
      }>
      recent_campaigns: CampaignSummary[]
      /** Begun in the last 30 days, with messages that may or may not have arrived; newest first. */
      campaigns_in_doubt: Array<{ id: number; name: string; uncertain: number; finished_at: string | null }>
    }
  }
  /** Lists contacts, oldest first unless asked otherwise. */
  'contacts/list': {
    kind: 'read'
    request: {
      /** Part of the address or the name */
      search?: string
      status?: 'pending' | 'subscribed' | 'unsubscribed' | 'bounced' | 'complained'
      list_id?: number
      /** Of the membership in list_id; without it, of any membership */
      list_status?: 'pending' | 'subscribed' | 'unsubscribed'
      tag_id?: number
      filter?: RuleGroup
      order?: 'oldest' | 'newest'
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: { items: Contact[]; next_cursor: string | null }
  }
  /** Counts the contacts that match the filters: in total, by status and by list. */
  'contacts/stats': {
    kind: 'read'
    request: {
      /** Part of the address or the name */
      search?: string
      status?: 'pending' | 'subscribed' | 'unsubscribed' | 'bounced' | 'complained'
      list_id?: number
      /** Of the membership in list_id; without it, of any membership */
      list_status?: 'pending' | 'subscribed' | 'unsubscribed'
      tag_id?: number
      filter?: RuleGroup
    }
    response: {
      total: number
      by_status: {
        pending: number
        subscribed: number
        unsubscribed: number
        bounced: number
        complained: number
      }
      /** Memberships of these contacts in every list that is not archived. */
      by_list: Array<{ list_id: number; pending: number; subscribed: number; unsubscribed: number }>
    }
  }
  /** A contact by its id or address, with the suppression of its address, its activity and the evidence of its consents, each newest first. */
  'contacts/get': {
    kind: 'read'
    request: {
      contact_id?: number
      email?: string
      /** The last id of the previous page; an empty page is the end. */
      activity_after_id?: number
      /** The last id of the previous page; an empty page is the end. */
      consents_after_id?: number
    }
    response: {
      contact: Contact
      suppression: {
        reason: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
        note: string
        created_at: string
      } | null
      activity: Array<{
        id: number
        type: 'sent' | 'failed' | 'uncertain' | 'open' | 'click' | 'unsubscribe' | 'bounce' | 'complaint' | 'skipped' | 'subscribed' | 'confirmation_sent' | 'confirmed' | 'resubscribed' | 'left_list' | 'suppressed' | 'unsuppressed' | 'address_changed'
        at: string
        list_id: number | null
        campaign_id: number | null
        url?: string
        user_agent?: string
        machine?: boolean
        detail?: string
      }>
      consents: Array<{
        id: number
        at: string
        list_id: number | null
        action: 'given' | 'confirmed' | 'withdrawn'
        /** Empty where there is none. */
        text: string
        source: string
        ip: string | null
        user_agent: string | null
        campaign_id: number | null
        /** Who spoke for the person. */
        caller?: { ip: string; user_agent: string }
      }>
    }
  }
  /** Streams contacts as CSV. A cell that a spreadsheet would run as a formula gets a leading apostrophe, except numbers. */
  'contacts/export': {
    kind: 'stream'
    request: {
      /** Part of the address or the name */
      search?: string
      status?: 'pending' | 'subscribed' | 'unsubscribed' | 'bounced' | 'complained'
      list_id?: number
      /** Of the membership in list_id; without it, of any membership */
      list_status?: 'pending' | 'subscribed' | 'unsubscribed'
      tag_id?: number
      filter?: RuleGroup
      /** Of id, email, first_name, last_name, full_name, global_status, lists, tag_ids, consent_text, consent_source, consent_at, created_at, updated_at and custom.KEY; all columns by default. */
      columns?: string[]
    }
    response: string
  }
  /** Lists the custom fields of contacts. */
  'custom-fields/list': {
    kind: 'read'
    request: {
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: { items: CustomField[]; next_cursor: string | null }
  }
  /** Lists the lists, archived ones only with include_archived. */
  'lists/list': {
    kind: 'read'
    request: {
      include_archived?: boolean
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: { items: List[]; next_cursor: string | null }
  }
  /** Lists the tags. */
  'tags/list': {
    kind: 'read'
    request: {
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: { items: Tag[]; next_cursor: string | null }
  }
  /** Lists the segments. */
  'segments/list': {
    kind: 'read'
    request: {
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: { items: Segment[]; next_cursor: string | null }
  }
  /** Shows a segment with its rules. */
  'segments/get': { kind: 'read'; request: { segment_id: number }; response: { segment: Segment } }
  /** Counts the contacts that match rules, and shows the first ten. */
  'segments/preview': { kind: 'read'; request: { rules: RuleGroup }; response: { count: number; sample: Contact[] } }
  /** Lists the addresses that get no messages, oldest first unless asked otherwise. */
  'suppressions/list': {
    kind: 'read'
    request: {
      /** Part of the address. Those of deleted contacts are found by the whole address only. */
      search?: string
      reason?: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
      order?: 'oldest' | 'newest'
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: number
        email: string | null
        reason: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
        note: string
        created_at: string
      }>
      next_cursor: string | null
    }
  }
  /** Returns sender, design and tracking of all messages. */
  'settings/get': { kind: 'read'; request: Record<string, never>; response: { settings: Settings } }
  /** Lists the connections, without their secrets. */
  'connections/list': {
    kind: 'read'
    request: {
      /** Adds these to each connection. */
      include?: Array<'usage'>
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: number
        name: string
        provider: 'smtp' | 'ses' | 'sendgrid' | 'mailgun' | 'postmark' | 'resend' | 'brevo' | 'sandbox'
        host: string
        /** 0 for the sandbox. */
        port: number
        secure: 'none' | 'starttls' | 'tls'
        username: string
        password_set: boolean
        from_domain: string
        max_per_second: number | null
        max_per_day: number | null
        max_connections: number
        mailbox_limits: Record<string, number> | null
        /** For Postmark: the broadcast stream of campaigns; all other messages take the default stream. */
        message_stream: string
        warm_up: boolean
        bounce_domain: string
        webhook_secret_set: boolean
        webhook_topic: string | null
        /** The selector that verify-dns was last given. */
        dkim_selector: string
        dns: {
          domain: string
          checked_at: string
          checks: Array<{
            name: 'spf' | 'dkim' | 'dmarc'
            ok: boolean
            found: string | null
            expected: string
            record: { type: 'TXT' | 'CNAME'; name: string; value: string } | null
            /** What to do, or why the check passes. */
            hint: string
          }>
        } | null
        /** The service's own keys of the sender's domain, newest first; only for smtp: other providers sign. */
        dkim_keys: Array<{
          id: number
          algorithm: 'rsa-sha256' | 'ed25519-sha256'
          selector: string
          /** Where its TXT record belongs. */
          name: string
          /** The text of that record. */
          value: string
          /** Messages are signed with this key now. */
          signs: boolean
          verified_at: string | null
          created_at: string
        }>
        verified_at: string | null
        last_error: string | null
        created_at: string
        updated_at: string
        usage?: {
          sent_in_24_hours: number
          limit: number | null
          /** The limits of the coming days while the connection warms up; empty otherwise. */
          limits_ahead: Array<number | null>
        }
      }>
      next_cursor: string | null
    }
  }
  /** Lists the saved templates without their documents, and the built-in designs. */
  'templates/list': {
    kind: 'read'
    request: {
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: TemplateSummary[]
      next_cursor: string | null
      gallery: Array<{
        /** A design of the gallery. */
        id: string
        name: string
        description: string
        thumbnail_url: string
      }>
    }
  }
  /** Shows a saved template or a design of the gallery, with its document. */
  'templates/get': {
    kind: 'read'
    request: { template_id: number | string }
    response: {
      template: {
        id: number | string
        name: string
        subject: string
        editor_json: EmailDocument
        created_at: string | null
        updated_at: string | null
        updated_by: Editor | null
      }
    }
  }
  /** Renders a campaign, a template or a document as a recipient would see it. Links to this service are samples and change nothing. */
  render: {
    kind: 'read'
    request: {
      campaign_id?: number
      template_id?: number | string
      editor_json?: EmailDocument
      /** Replaces the campaign's or the template's subject. */
      subject?: string
      /** Replaces the campaign's preheader. */
      preheader?: string
      contact_id?: number
      /** Whether the outermost cells of each block carry `data-block` with the block's id. */
      mark_blocks?: boolean
    }
    response: {
      subject: string
      html: string
      text: string
      /** Size of the HTML in bytes, without `data-block`. */
      size_bytes: number
      warnings: Array<{
        code: 'size' | 'missing_alt' | 'link_without_text' | 'unknown_merge_tag' | 'low_contrast' | 'no_text' | 'no_posts' | 'removed_markup' | 'image_only' | 'misleading_link' | 'ip_address_link' | 'shortened_link' | 'shouting' | 'excessive_punctuation'
        message: string
        block_id?: string
      }>
    }
  }
  /** Lists the campaigns without their documents. */
  'campaigns/list': {
    kind: 'read'
    request: {
      /** Adds these to each campaign. */
      include?: Array<'stats'>
      /** Part of the name or the subject. */
      search?: string
      status?: 'draft' | 'scheduled' | 'preparing' | 'sending' | 'sent' | 'paused' | 'cancelled' | 'failed'
      order?: 'oldest' | 'newest'
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: number
        name: string
        subject: string
        preheader: string
        audience_spec: AudienceSpec
        template_id: number | string | null
        connection_id: number | null
        /** The settings apply where it is empty, as for from_email and reply_to. */
        from_name: string
        from_email: string
        reply_to: string
        track_opens: boolean
        track_clicks: boolean
        utm_source: string
        utm_medium: string
        utm_campaign: string
        status: 'draft' | 'scheduled' | 'preparing' | 'sending' | 'sent' | 'paused' | 'cancelled' | 'failed'
        scheduled_at: string | null
        timezone: string | null
        started_at: string | null
        finished_at: string | null
        failure: {
          reason: string
          /** The failed checks of a scheduled campaign. */
          checks?: ReadinessCheck[]
        } | null
        created_at: string
        updated_at: string
        stats?: CampaignCounts
      }>
      next_cursor: string | null
    }
  }
  /** Shows a campaign with its document. */
  'campaigns/get': {
    kind: 'read'
    request: { campaign_id: number }
    response: {
      campaign: {
        id: number
        name: string
        subject: string
        preheader: string
        audience_spec: AudienceSpec
        template_id: number | string | null
        connection_id: number | null
        /** The settings apply where it is empty, as for from_email and reply_to. */
        from_name: string
        from_email: string
        reply_to: string
        track_opens: boolean
        track_clicks: boolean
        utm_source: string
        utm_medium: string
        utm_campaign: string
        status: 'draft' | 'scheduled' | 'preparing' | 'sending' | 'sent' | 'paused' | 'cancelled' | 'failed'
        scheduled_at: string | null
        timezone: string | null
        started_at: string | null
        finished_at: string | null
        failure: {
          reason: string
          /** The failed checks of a scheduled campaign. */
          checks?: ReadinessCheck[]
        } | null
        created_at: string
        updated_at: string
        editor_json: EmailDocument
        updated_by: Editor | null
        waiting: {
          reason: 'plan_limit' | 'daily_limit' | 'warm_up' | 'relay' | 'mailbox_limit' | 'retry'
          until: string | null
          error: string | null
          /** Messages that wait for the limit of a mailbox provider, by its name. Counts the first 10,000. */
          held_back: Record<string, number>
        } | null
      }
    }
  }
  /** Counts the recipients of an audience, and the contacts it leaves out by reason. */
  'campaigns/audience-count': {
    kind: 'read'
    request: { campaign_id?: number; audience_spec?: AudienceSpec }
    response: {
      /** Contacts that would receive the campaign now. */
      count: number
      /** Contacts that the include part names and that would not receive the campaign. Each counts once, under the first reason that applies: the exclude part, the contact's own status, suppression, its list memberships. */
      excluded: {
        excluded_by_rule: number
        suppressed: number
        unsubscribed: number
        pending: number
        bounced: number
        complained: number
      }
    }
  }
  /** Checks whether a campaign can be sent. */
  'campaigns/readiness': {
    kind: 'read'
    request: { campaign_id: number }
    response: {
      /** True when no check of severity error failed. */
      ready: boolean
      /** All checks, also those that passed. */
      checks: ReadinessCheck[]
    }
  }
  /** Counts the recipients, opens, clicks and bounces of a campaign. */
  'campaigns/stats': {
    kind: 'read'
    request: { campaign_id: number }
    response: {
      /** sent + failed + skipped + queued + uncertain + cancelled. */
      recipients: number
      /** Accepted by the relay, including those that bounced later. */
      sent: number
      /** Refused, or given up after all retries. */
      failed: number
      /** Unsubscribed, suppressed or changed their address before their message was handed over. */
      skipped: number
      /** Waiting or being handed over. */
      queued: number
      /** Handed over without an answer: the message may or may not have arrived. */
      uncertain: number
      cancelled: number
      /** Opens by people. Known prefetchers count as machine_opens. */
      opens: number
      /** Recipients who opened. */
      unique_opens: number
      clicks: number
      /** Recipients who clicked. */
      unique_clicks: number
      /** Opens by known prefetchers. */
      machine_opens: number
      /** Clicks by known prefetchers. */
      machine_clicks: number
      /** Recipients who unsubscribed. */
      unsubscribes: number
      bounces: { hard: number; soft: number }
      /** Recipients who complained. */
      complaints: number
      /** Most clicks first. */
      links: Array<{ url: string; clicks: number; unique_clicks: number }>
      /** Hours with at least one event, oldest first. */
      timeline: Array<{ at: string; sent: number; opens: number; clicks: number }>
      /** The same by minute, for the first six hours of a campaign; empty later. */
      minutes: Array<{ at: string; sent: number; opens: number; clicks: number }>
      waiting: {
        reason: 'plan_limit' | 'daily_limit' | 'warm_up' | 'relay' | 'mailbox_limit' | 'retry'
        until: string | null
        error: string | null
        /** Messages that wait for the limit of a mailbox provider, by its name. Counts the first 10,000. */
        held_back: Record<string, number>
      } | null
    }
  }
  /** Lists the events of a campaign, oldest first unless asked otherwise. */
  'campaigns/events': {
    kind: 'read'
    request: {
      campaign_id: number
      type?: 'sent' | 'failed' | 'uncertain' | 'open' | 'click' | 'unsubscribe' | 'bounce' | 'complaint' | 'skipped'
      order?: 'oldest' | 'newest'
      /** The last id of the previous page. An empty page is the end. */
      after_id?: number
      limit?: number
    }
    response: {
      items: Array<{
        id: number
        type: 'sent' | 'failed' | 'uncertain' | 'open' | 'click' | 'unsubscribe' | 'bounce' | 'complaint' | 'skipped'
        contact_id: number | null
        email: string | null
        at: string
        /** The address of the clicked link. */
        url?: string
        user_agent?: string
        /** A known prefetcher, not a person. */
        machine?: true
        /** The reason; for a bounce its kind and the server response. */
        detail?: { kind: 'hard' | 'soft'; response?: string } | string
      }>
    }
  }
  /** Lists a campaign's recipients and the status of their messages. */
  'campaigns/recipients': {
    kind: 'read'
    request: {
      campaign_id: number
      status?: 'queued' | 'leased' | 'sending' | 'sent' | 'uncertain' | 'failed' | 'bounced' | 'skipped' | 'cancelled'
      /** The last id of the previous page. An empty page is the end. */
      after_id?: number
      limit?: number
    }
    response: {
      items: Array<{
        id: number
        contact_id: number | null
        email: string | null
        status: 'queued' | 'leased' | 'sending' | 'sent' | 'uncertain' | 'failed' | 'bounced' | 'skipped' | 'cancelled'
        attempts: number
        last_error: string | null
        sent_at: string | null
        message_id: string | null
      }>
    }
  }
  /** Lists the imports, without their columns and row errors. */
  'imports/list': {
    kind: 'read'
    request: {
      order?: 'oldest' | 'newest'
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: { items: ImportSummary[]; next_cursor: string | null }
  }
  /** An import with its progress and its first row errors. */
  'imports/get': { kind: 'read'; request: { import_id: number }; response: { import: Import } }
  /** Lists jobs: work that continues in the background after its request was answered. */
  'jobs/list': {
    kind: 'read'
    request: {
      kinds?: Array<'bulk' | 'import' | 'segment_materialize' | 'campaign_prepare' | 'import_examine'>
      statuses?: Array<'queued' | 'running' | 'completed' | 'failed' | 'cancelled'>
      order?: 'oldest' | 'newest'
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: { items: Job[]; next_cursor: string | null }
  }
  /** Shows a job and its progress. */
  'jobs/get': { kind: 'read'; request: { job_id: number }; response: { job: Job } }
  /** Creates a contact, or updates the one with the address, and subscribes it as far as consent, suppressions and double opt-in allow. An opted-out contact is only subscribed with resubscribe. skipped lists what was not subscribed, and why. */
  'contacts/upsert': {
    kind: 'mutation'
    request: {
      email: string
      /** What the person agreed to, word for word; stored as evidence */
      consent_text: string
      first_name?: string
      last_name?: string
      list_ids?: number[]
      /** Added to the tags that the contact has. */
      tag_ids?: number[]
      /** Values by the key of a custom field of the project; null removes a value. */
      custom_fields?: Record<string, string | number | boolean | null>
      /** Where and when the person gave this consent, if that was somewhere else. It is kept as told, with the caller noted beside it. */
      consent?: {
        /** ISO 8601 with an offset, e.g. 2026-05-01T09:30+02:00 */
        at?: string
        /** IPv4 or IPv6 */
        ip?: string
        user_agent?: string
        source?: string
      }
      /** Reverses an opt-out, but never a complaint, a hard bounce or a manual suppression. */
      resubscribe?: boolean
    }
    response: {
      contact: Contact
      created: boolean
      /** Messages; one message covers all lists that need a confirmation. */
      confirmations_queued: number
      /** Lists whose confirmation cannot leave now. It leaves by itself when the reason ends. */
      confirmations_blocked?: Array<{
        list_id: number
        reason: 'no_connection' | 'connection_untested' | 'no_sender' | 'limit' | 'held'
      }>
      /** list_id is null where no list was named. */
      skipped: Array<{
        list_id: number | null
        reason: 'suppressed' | 'unsubscribed' | 'bounced' | 'complained' | 'left_list'
      }>
    }
  }
  /** Changes a contact's profile, never its subscriptions. When the new address is suppressed, the contact gets the status of that suppression. */
  'contacts/update': {
    kind: 'mutation'
    request: {
      contact_id: number
      first_name?: string
      last_name?: string
      email?: string
      /** Values by the key of a custom field of the project; null removes a value. */
      custom_fields?: Record<string, string | number | boolean | null>
    }
    response: { contact: Contact }
  }
  /** Deletes a contact. If it unsubscribed, bounced or complained, its address stays suppressed for that reason. */
  'contacts/delete': { kind: 'mutation'; request: { contact_id: number }; response: { contact: Contact } }
  /** Unsubscribes a contact from everything. */
  'contacts/unsubscribe': { kind: 'mutation'; request: { contact_id: number }; response: { contact: Contact } }
  /** Sets a bounced contact back to subscribed, to pending if it had confirmed nothing, or to unsubscribed if it had opted out, and ends the suppression that the bounce left. */
  'contacts/reset-status': { kind: 'mutation'; request: { contact_id: number }; response: { contact: Contact } }
  /** Subscribes a contact to a list, with a confirmation where the list asks for one, or unsubscribes it. A contact that opted out of everything, or whose address is suppressed, is not subscribed. */
  'contacts/membership': {
    kind: 'mutation'
    request: {
      contact_id: number
      list_id: number
      action: 'subscribe' | 'unsubscribe'
      /** What the person agreed to, word for word; stored as evidence */
      consent_text?: string
    }
    response: {
      contact: Contact
      confirmations_queued: number
      /** Lists whose confirmation cannot leave now. It leaves by itself when the reason ends. */
      confirmations_blocked?: Array<{
        list_id: number
        reason: 'no_connection' | 'connection_untested' | 'no_sender' | 'limit' | 'held'
      }>
    }
  }
  /** Adds tags to a contact and removes tags from it. */
  'contacts/tags': {
    kind: 'mutation'
    request: { contact_id: number; add?: number[]; remove?: number[] }
    response: { contact: Contact }
  }
  /** Applies one action to many contacts: those named, or all that match a filter. A filter without rules matches every contact, also for deletion. The filter is evaluated again for each page of contacts. Adding to a list follows the rules of consent and confirmation. */
  'contacts/bulk': {
    kind: 'mutation'
    request: {
      action: 'add_to_list' | 'remove_from_list' | 'add_tags' | 'remove_tags' | 'unsubscribe' | 'delete'
      /** Ids that the project does not have are skipped. */
      contact_ids?: number[]
      filter?: RuleGroup
      /** Narrows the filter: part of the address or the name */
      search?: string
      list_id?: number
      tag_ids?: number[]
      /** What the person agreed to, word for word; stored as evidence */
      consent_text?: string
    }
    response: { job: Job }
  }
  /** Creates a custom field. From then on contacts can have values for it. */
  'custom-fields/create': {
    kind: 'mutation'
    request: {
      /** a to z, 0 to 9 and _, at most 40 */
      key: string
      label: string
      type: 'text' | 'number' | 'boolean' | 'date' | 'select'
      /** For type select only. */
      options?: string[]
    }
    response: { custom_field: CustomField }
  }
  /** Changes label, options or type of a custom field; the type only while no contact has a value. Its key never changes. */
  'custom-fields/update': {
    kind: 'mutation'
    request: {
      field_id: number
      label?: string
      type?: 'text' | 'number' | 'boolean' | 'date' | 'select'
      /** For type select only. */
      options?: string[]
    }
    response: { custom_field: CustomField }
  }
  /** Deletes a custom field and its values from all contacts. */
  'custom-fields/delete': { kind: 'mutation'; request: { field_id: number }; response: { custom_field: CustomField } }
  /** Creates a list. */
  'lists/create': {
    kind: 'mutation'
    request: {
      name: string
      description?: string
      /** New members must confirm their subscription. */
      double_opt_in?: boolean
      /** Contacts see it in their preferences, and anybody may sign up for it. */
      public?: boolean
    }
    response: { list: List }
  }
  /** Changes a list. Switching double opt-in leaves members as they are; archiving only hides the list. */
  'lists/update': {
    kind: 'mutation'
    request: {
      list_id: number
      name?: string
      description?: string
      /** New members must confirm their subscription. */
      double_opt_in?: boolean
      /** Contacts see it in their preferences, and anybody may sign up for it. */
      public?: boolean
      archived?: boolean
    }
    response: { list: List }
  }
  /** Creates a tag. */
  'tags/create': {
    kind: 'mutation'
    request: {
      name: string
      /** #rgb, #rrggbb or a CSS color name; empty for none */
      color?: string
    }
    response: { tag: Tag }
  }
  /** Changes the name or color of a tag. */
  'tags/update': {
    kind: 'mutation'
    request: {
      tag_id: number
      name?: string
      /** #rgb, #rrggbb or a CSS color name; empty for none */
      color?: string
    }
    response: { tag: Tag }
  }
  /** Deletes a tag and removes it from all contacts. */
  'tags/delete': { kind: 'mutation'; request: { tag_id: number }; response: { tag: Tag } }
  /** Saves rules as a segment. They are evaluated each time the segment is used. */
  'segments/create': { kind: 'mutation'; request: { name: string; rules: RuleGroup }; response: { segment: Segment } }
  /** Renames a segment or changes its rules. */
  'segments/update': {
    kind: 'mutation'
    request: { segment_id: number; name?: string; rules?: RuleGroup }
    response: { segment: Segment }
  }
  /** Deletes a segment, unless another segment or a campaign that has not ended uses it. */
  'segments/delete': { kind: 'mutation'; request: { segment_id: number }; response: { segment: Segment } }
  /** Tags the contacts that are in a segment now. A tag given by name is created if needed. */
  'segments/materialize': {
    kind: 'mutation'
    request: { segment_id: number; tag_id?: number; tag_name?: string }
    response: { job: Job }
  }
  /** Suppresses an address, with or without a contact. Of two reasons the stronger stays: complaint, hard_bounce, unsubscribe, manual. */
  'suppressions/add': {
    kind: 'mutation'
    request: {
      email: string
      reason?: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
      note?: string
    }
    response: {
      suppression: {
        id: number
        email: string | null
        reason: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
        note: string
        created_at: string
      }
    }
  }
  /** Ends the suppression of an address; a complaint needs confirm. A contact keeps its global status; contacts/upsert with resubscribe subscribes it again. */
  'suppressions/remove': {
    kind: 'mutation'
    request: {
      email: string
      /** Needed to remove a complaint. */
      confirm?: boolean
    }
    response: {
      suppression: {
        id: number
        email: string | null
        reason: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
        note: string
        created_at: string
      }
    }
  }
  /** Creates a template. */
  'templates/create': {
    kind: 'mutation'
    request: {
      name: string
      editor_json: EmailDocument
      /** A suggested subject for campaigns. */
      subject?: string
    }
    response: { template: Template }
  }
  /** Changes a saved template. Campaigns created from it stay as they are. */
  'templates/update': {
    kind: 'mutation'
    request: {
      template_id: number
      name?: string
      editor_json?: EmailDocument
      /** A suggested subject for campaigns. */
      subject?: string
      /** The updated_at that was read. When it has changed since, nothing is written and the answer is 409. */
      expected_updated_at?: string
    }
    response: { template: Template }
  }
  /** Deletes a saved template. Campaigns created from it stay as they are. */
  'templates/delete': { kind: 'mutation'; request: { template_id: number }; response: { template: TemplateSummary } }
  /** Creates a campaign as a draft. */
  'campaigns/create': {
    kind: 'mutation'
    request: {
      /** May hold merge tags. Defaults to the template's subject. */
      subject?: string
      audience_spec: AudienceSpec
      /** Recipients never see it; defaults to the subject. */
      name?: string
      preheader?: string
      editor_json?: EmailDocument
      /** A saved template or a design of the gallery. Its document is copied unless editor_json is given. */
      template_id?: number | string
      connection_id?: number | null
      from_name?: string
      /** An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none */
      from_email?: '' | string
      /** An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none */
      reply_to?: '' | string
      /** Defaults to the settings. */
      track_opens?: boolean
      /** Defaults to the settings. */
      track_clicks?: boolean
      /** Added to each link that does not have it, as are utm_medium and utm_campaign. Nothing is added when empty. */
      utm_source?: string
      utm_medium?: string
      utm_campaign?: string
    }
    response: { campaign: Campaign }
  }
  /** Changes a draft, a scheduled or a failed campaign. */
  'campaigns/update': {
    kind: 'mutation'
    request: {
      campaign_id: number
      /** May hold merge tags. */
      subject?: string
      audience_spec?: AudienceSpec
      /** Recipients never see it; defaults to the subject. */
      name?: string
      preheader?: string
      editor_json?: EmailDocument
      /** A saved template or a design of the gallery. Its document is copied unless editor_json is given. */
      template_id?: number | string
      connection_id?: number | null
      from_name?: string
      /** An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none */
      from_email?: '' | string
      /** An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none */
      reply_to?: '' | string
      /** Defaults to the settings. */
      track_opens?: boolean
      /** Defaults to the settings. */
      track_clicks?: boolean
      /** Added to each link that does not have it, as are utm_medium and utm_campaign. Nothing is added when empty. */
      utm_source?: string
      utm_medium?: string
      utm_campaign?: string
      /** The updated_at that was read. When it has changed since, nothing is written and the answer is 409. */
      expected_updated_at?: string
      /** summary leaves the document out. */
      return?: 'full' | 'summary'
    }
    response: { campaign: Campaign | CampaignSummary }
  }
  /** Creates a draft with the content, audience and sender of another campaign of any status. */
  'campaigns/duplicate': { kind: 'mutation'; request: { campaign_id: number }; response: { campaign: Campaign } }
  /** Deletes a campaign that is not being sent. The links in its sent messages keep working. */
  'campaigns/delete': { kind: 'mutation'; request: { campaign_id: number }; response: { campaign: CampaignSummary } }
  /** Turns a scheduled campaign back into a draft. */
  'campaigns/unschedule': { kind: 'mutation'; request: { campaign_id: number }; response: { campaign: CampaignSummary } }
  /** Pauses a campaign. Messages that are already being handed over are still sent. */
  'campaigns/pause': { kind: 'mutation'; request: { campaign_id: number }; response: { campaign: CampaignSummary } }
  /** Cancels a campaign. Messages that were not handed over are never sent. */
  'campaigns/cancel': { kind: 'mutation'; request: { campaign_id: number }; response: { campaign: CampaignSummary } }
  /** Stages a CSV file of at most 5 MiB and answers its columns. Imports nothing. */
  'imports/create': {
    kind: 'mutation'
    request: { csv: string; filename?: string }
    response: {
      import: Import
      columns: Array<{
        index: number
        /** Empty where the file has no header. */
        header: string
        samples: string[]
        suggested_field: string | null
      }>
    }
  }
  /** Reads the whole file by the mapping and the options, and answers counts of rows and the first errors. Imports nothing. A later dry-run replaces this one. */
  'imports/dry-run': {
    kind: 'mutation'
    request: {
      import_id: number
      /** Fields by the index of their column: email, first_name, last_name, full_name, tags, lists, status, opted_out, bounced, complained, consent_at, consent_text, consent_ip, consent_source or custom.KEY. Columns that are left out are not imported. */
      mapping: Record<string, string>
      options: {
        /** Lists that the people are subscribed to. Needs consent_confirmed or send_confirmation. */
        list_ids?: number[]
        /** Tags that are added to the contacts. */
        tag_ids?: number[]
        /** Whether existing contacts change: their profile by the cells that are not empty, their lists and their tags. */
        update_existing?: boolean
        /** abort: the import cannot be committed while a row is invalid. */
        on_invalid?: 'skip' | 'abort'
        /** drop_value: the person is imported without the wrong value, which is reported. */
        on_invalid_value?: 'fail_row' | 'drop_value'
        /** How days are written: 2026-03-01, 01.03.2026 or 03/01/2026; guessed from the first rows by default. */
        date_format?: 'iso' | 'dmy' | 'mdy'
        /** Whether tags that the project does not have are created. */
        create_tags?: boolean
        /** The status of rows that say none. */
        default_status?: 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'
        /** What the people agreed to, word for word; stored as evidence. */
        consent_text?: string
        /** You confirm that these people agreed: they are also subscribed to double opt-in lists, without another confirmation. */
        consent_confirmed?: boolean
        /** Double opt-in lists ask each person for a confirmation, whatever consent_confirmed says. */
        send_confirmation?: boolean
        /** The separator of cells; detected from the first line by default. */
        delimiter?: ',' | ';' | '	' | '|'
      }
    }
    response: {
      import: Import
      summary: {
        rows: number
        valid: number
        invalid: number
        new: number
        existing: number
        suppressed: number
        duplicates_in_file: number
      }
      row_errors: Array<{
        /** The number of the record, the header counted as 1, as spreadsheets do. */
        row: number
        field: string | null
        code: 'email_missing' | 'email_invalid' | 'value_invalid' | 'value_dropped' | 'too_many_cells' | 'malformed' | 'too_long' | 'plan_limit'
        message: string
        value: string | null
      }>
    }
  }
  /** Queues an import as its dry-run read it. Mapping and options are optional; when given, they must equal those of the dry-run. */
  'imports/commit': {
    kind: 'mutation'
    request: {
      import_id: number
      /** Fields by the index of their column: email, first_name, last_name, full_name, tags, lists, status, opted_out, bounced, complained, consent_at, consent_text, consent_ip, consent_source or custom.KEY. Columns that are left out are not imported. */
      mapping?: Record<string, string>
      options?: {
        /** Lists that the people are subscribed to. Needs consent_confirmed or send_confirmation. */
        list_ids?: number[]
        /** Tags that are added to the contacts. */
        tag_ids?: number[]
        /** Whether existing contacts change: their profile by the cells that are not empty, their lists and their tags. */
        update_existing?: boolean
        /** abort: the import cannot be committed while a row is invalid. */
        on_invalid?: 'skip' | 'abort'
        /** drop_value: the person is imported without the wrong value, which is reported. */
        on_invalid_value?: 'fail_row' | 'drop_value'
        /** How days are written: 2026-03-01, 01.03.2026 or 03/01/2026; guessed from the first rows by default. */
        date_format?: 'iso' | 'dmy' | 'mdy'
        /** Whether tags that the project does not have are created. */
        create_tags?: boolean
        /** The status of rows that say none. */
        default_status?: 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'
        /** What the people agreed to, word for word; stored as evidence. */
        consent_text?: string
        /** You confirm that these people agreed: they are also subscribed to double opt-in lists, without another confirmation. */
        consent_confirmed?: boolean
        /** Double opt-in lists ask each person for a confirmation, whatever consent_confirmed says. */
        send_confirmation?: boolean
        /** The separator of cells; detected from the first line by default. */
        delimiter?: ',' | ';' | '	' | '|'
      }
    }
    response: { import: Import; job: Job }
  }
  /** Cancels an import. Contacts that it has imported already stay. */
  'imports/cancel': {
    kind: 'mutation'
    request: { import_id: number }
    response: { import: Import; job: Job | null }
  }
  /** Starts sending a draft, or a campaign that failed, to its audience. */
  'campaigns/send': { kind: 'mutation'; request: { campaign_id: number }; response: { campaign: CampaignSummary } }
  /** Schedules a campaign, or changes its time. What waiting cannot mend is checked now, all at that time. */
  'campaigns/schedule': {
    kind: 'mutation'
    request: {
      campaign_id: number
      /** ISO 8601. With an offset that the time zone has at that moment, or Z; without one it is the time of the clocks in the time zone, e.g. 2026-05-01T09:30. */
      scheduled_at: string
      /** A name of the IANA time zone database */
      timezone: string
    }
    response: { campaign: CampaignSummary }
  }
  /** Resumes a paused campaign. */
  'campaigns/resume': { kind: 'mutation'; request: { campaign_id: number }; response: { campaign: CampaignSummary } }
  /** Queues failed recipients again. With include_uncertain also uncertain ones, who may receive the message twice. */
  'campaigns/requeue-failed': {
    kind: 'mutation'
    request: {
      campaign_id: number
      /** Also recipients whose relay never answered: they may have the message already. */
      include_uncertain?: boolean
    }
    response: { campaign: CampaignSummary; requeued: number }
  }
  /** Sends the campaign as it is now to up to five addresses, as a test. */
  'campaigns/test-send': {
    kind: 'mutation'
    request: { campaign_id: number; emails: string[]; contact_id?: number }
    response: {
      queued: number
      /** Suppressed addresses, which receive nothing. */
      skipped: Array<{ email: string; reason: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual' }>
    }
  }
  /** Queues a failed job again. It continues where it stopped. */
  'jobs/requeue': { kind: 'mutation'; request: { job_id: number }; response: { job: Job } }
  /** Deletes a list and its memberships. The contacts stay. Refused while a campaign that has not ended uses the list, a draft included. */
  'lists/delete': { kind: 'mutation'; request: { list_id: number }; response: { list: List } }
  /** Changes some of the settings. */
  'settings/update': {
    kind: 'mutation'
    request: {
      from_name?: string
      /** An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none */
      from_email?: '' | string
      /** An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none */
      reply_to?: '' | string
      company_name?: string
      postal_address?: string
      default_connection_id?: number | null
      /** A name of the IANA time zone database */
      timezone?: string
      /** A BCP 47 language tag */
      locale?: string
      footer_text?: string
      track_opens?: boolean
      track_clicks?: boolean
      /** Empty: the service's default text. */
      confirmation_subject?: string
      confirmation_text?: string
      /** An address whose messages reach the mime webhook, for List-Unsubscribe; empty for none. */
      unsubscribe_mailto?: '' | string
      /** No confirmation leaves. A restore without facts sets it; false releases them. */
      confirmations_held?: boolean
      /** #rgb or #rrggbb, or an empty text for none */
      brand_color?: '' | string
      /** An http or https address, or an empty text for none */
      logo_url?: '' | string
    }
    response: { settings: Settings }
  }
  /** Creates a connection to an SMTP relay, a provider's relay or the sandbox mailbox. */
  'connections/create': {
    kind: 'mutation'
    request: {
      name: string
      provider: 'smtp' | 'ses' | 'sendgrid' | 'mailgun' | 'postmark' | 'resend' | 'brevo' | 'sandbox'
      /** Host name or IP address of the relay; default: the provider's relay (for SES, in us-east-1) */
      host?: string
      /** Default: 587 for starttls, 465 for tls, 25 for none */
      port?: number
      secure?: 'none' | 'starttls' | 'tls'
      /** Default: the provider's fixed user name */
      username?: string
      password?: string | null
      /** The domain that messages come from, or an empty text */
      from_domain?: string
      max_per_second?: number | null
      max_per_day?: number | null
      max_connections?: number
      mailbox_limits?: Record<string, number> | null
      /** For Postmark: the broadcast stream of campaigns; all other messages take the default stream. */
      message_stream?: string
      /** Whether the daily limit grows from 200 to 200,000 over 42 days from now; for senders without a reputation. */
      warm_up?: boolean
      /** The domain of return paths, one for each message; its mail is posted to the mime webhook. Or an empty text */
      bounce_domain?: string
      webhook_secret?: string | null
    }
    response: { connection: Connection }
  }
  /** Changes a connection. Another relay or login must be tested again; another host needs the password again. */
  'connections/update': {
    kind: 'mutation'
    request: {
      connection_id: number
      name?: string
      provider?: 'smtp' | 'ses' | 'sendgrid' | 'mailgun' | 'postmark' | 'resend' | 'brevo' | 'sandbox'
      /** Host name or IP address of the relay; default: the provider's relay (for SES, in us-east-1) */
      host?: string
      /** Default: 587 for starttls, 465 for tls, 25 for none */
      port?: number
      secure?: 'none' | 'starttls' | 'tls'
      /** Default: the provider's fixed user name */
      username?: string
      password?: string | null
      /** The domain that messages come from, or an empty text */
      from_domain?: string
      max_per_second?: number | null
      max_per_day?: number | null
      max_connections?: number
      mailbox_limits?: Record<string, number> | null
      /** For Postmark: the broadcast stream of campaigns; all other messages take the default stream. */
      message_stream?: string
      /** Whether the daily limit grows from 200 to 200,000 over 42 days from now; for senders without a reputation. */
      warm_up?: boolean
      /** The domain of return paths, one for each message; its mail is posted to the mime webhook. Or an empty text */
      bounce_domain?: string
      webhook_secret?: string | null
      /** Forgets the SNS topic; the next one that subscribes takes its place. */
      webhook_topic?: null
    }
    response: { connection: Connection }
  }
  /** Deletes a connection, unless a campaign that is scheduled, being sent or paused uses it. */
  'connections/delete': { kind: 'mutation'; request: { connection_id: number }; response: { connection: Connection } }
  /** Signs in at the relay, or sends one message through it. Stores the result as verified_at or last_error. */
  'connections/test': {
    kind: 'mutation'
    request: { connection_id: number; email?: string }
    response: {
      ok: boolean
      /** The response of the relay, or why it could not be reached. */
      error?: string
      connection: Connection
    }
  }
  /** Looks up whether receivers will accept mail from the connection's domain as genuine. Stores the result, and makes a DKIM key when asked to. */
  'connections/verify-dns': {
    kind: 'mutation'
    request: {
      connection_id: number
      /** The selector of the relay's DKIM key, when it is none of the usual ones. The connection keeps it. */
      dkim_selector?: string
      /** Makes a key of this kind for the domain. It signs once its record was found. Only for smtp. */
      create_dkim_key?: 'rsa-sha256' | 'ed25519-sha256'
    }
    response: {
      /** spf, dkim and dmarc. */
      checks: Array<{
        name: 'spf' | 'dkim' | 'dmarc'
        ok: boolean
        found: string | null
        expected: string
        record: { type: 'TXT' | 'CNAME'; name: string; value: string } | null
        /** What to do, or why the check passes. */
        hint: string
      }>
      /** The service's own keys of the domain; other providers sign. */
      dkim_keys: Array<{
        id: number
        algorithm: 'rsa-sha256' | 'ed25519-sha256'
        selector: string
        /** Where its TXT record belongs. */
        name: string
        /** The text of that record. */
        value: string
        /** Messages are signed with this key now. */
        signs: boolean
        verified_at: string | null
        created_at: string
        found: 'published' | 'missing' | 'different' | 'no_answer' | null
      }>
    }
  }
  /** Returns the address for the provider's reports, and how they are verified. */
  'connections/webhook-urls': {
    kind: 'read'
    request: { connection_id: number }
    response: {
      urls: Array<{
        provider: 'ses' | 'sendgrid' | 'mailgun' | 'postmark' | 'resend' | 'brevo' | 'mime'
        /** Keep it secret: it contains a token. */
        url: string
        verification: string
        /** The events to choose at the provider. */
        events: string[]
        last_event_at: string | null
        topic?: string | null
      }>
    }
  }
}

/** The other JSON routes by method and path: parameters of the path, of the query, and the body (`request`). */
export interface Routes {
  /** Whether the process is up. */
  'GET /healthz': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { status: 'ok' }
  }
  /** Receives delivery reports of an email provider, or a bounce message. */
  'POST /general/newsletter/webhooks/:provider/:token': {
    params: { provider: string; token: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** Signs a visitor up for public lists. */
  'POST /general/newsletter/signup': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      /** Leave empty. A request with a value succeeds without effect. */
      website?: unknown
      return_url?: string
      /** The solution of a challenge, where the project asks for it. */
      altcha?: string
      email: string
      list_ids?: number[]
      first_name?: string
      last_name?: string
      /** Values by the key of a custom field of the project; null removes a value. */
      custom_fields?: Record<string, string | number | boolean | null>
      consent_text?: string
      /** A sign-up form of the project: it has the lists and the wording. */
      form_id?: string
      /** Which of its wordings was shown; else the newest. */
      form_version?: number
    }
    response: { success: true }
  }
  /** Stores the fields of a form, and signs the sender up when the form asks for it. */
  'POST /general/project/form/entry': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      /** Leave empty. A request with a value succeeds without effect. */
      website?: unknown
      return_url?: string
      /** The solution of a challenge, where the project asks for it. */
      altcha?: string
      form: string
      /** By field name: a string, a number, a boolean or an array of strings. */
      fields: Record<string, string | number | boolean | string[]>
      newsletter?: { email: string; list_ids: number[]; consent_text: string }
    }
    response: { success: true }
  }
  /** A challenge for the proof of work of a form, in ALTCHA's format. */
  'GET /general/project/form/challenge': {
    params: Record<string, never>
    query: { project_id: string }
    request: Record<string, never>
    response: {
      parameters: {
        algorithm: string
        /** Rounds of the key derivation. */
        cost: number
        data: { project_id: string }
        /** Seconds since 1970. */
        expiresAt: number
        keyLength: number
        /** Hexadecimal digits with which the wanted key begins. */
        keyPrefix: string
        nonce: string
        salt: string
      }
      signature: string
    }
  }
  /** Lists stored messages in order of arrival. */
  'GET /general/sandbox/mailbox': {
    params: Record<string, never>
    query: { to?: string; after_id?: number; limit?: number }
    request: Record<string, never>
    response: {
      messages: Array<{
        id: number
        project_id: string | null
        from: string
        to: string
        subject: string
        headers: Record<string, string | string[]>
        text: string | null
        html: string | null
        raw: string
        received_at: string
      }>
    }
  }
  /** Deletes all stored messages. Later messages get higher ids than deleted ones. */
  'DELETE /general/sandbox/mailbox': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** Exchanges a code or a refresh token for a pair of tokens (RFC 6749, 3.2). */
  'POST /general/oauth/token': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      grant_type: string
      code?: string
      redirect_uri?: string
      code_verifier?: string
      refresh_token?: string
      scope?: string
      resource?: string
      client_id?: string
      client_secret?: string
    }
    response: {
      access_token: string
      token_type: 'Bearer'
      /** Seconds from now */
      expires_in: number
      refresh_token: string
      scope: string
    }
  }
  /** Revokes a token of the client (RFC 7009). */
  'POST /general/oauth/revoke': {
    params: Record<string, never>
    query: Record<string, never>
    request: { token: string; token_type_hint?: string; client_id?: string; client_secret?: string }
    response: Record<string, never>
  }
  /** Describes a token of the client (RFC 7662). */
  'POST /general/oauth/introspect': {
    params: Record<string, never>
    query: Record<string, never>
    request: { token: string; token_type_hint?: string; client_id?: string; client_secret?: string }
    response: {
      active: boolean
      scope?: string
      client_id?: string
      sub?: string
      username?: string
      token_type?: string
      exp?: number
      iat?: number
      iss?: string
    }
  }
  /** Stores an authorization request and returns a reference to it (RFC 9126, 2). */
  'POST /general/oauth/par': {
    params: Record<string, never>
    query: Record<string, never>
    request: { client_id?: string; client_secret?: string }
    response: { request_uri: string; expires_in: number }
  }
  /** What became of the app, oldest first. Called with the credentials of a confidential client. */
  'GET /general/api/v1/app/events': {
    params: Record<string, never>
    query: { cursor?: number; limit?: number }
    request: Record<string, never>
    response: {
      events: Array<{
        id: number
        type: 'connected' | 'scopes_changed' | 'disconnected' | 'suspended' | 'resumed'
        time: string
        project_id: string | null
        scope: string | null
        comment: string | null
      }>
      /** Where the next call goes on. */
      next_cursor: number
      has_more: boolean
    }
  }
  /** The metadata of the authorization server. */
  'GET /.well-known/oauth-authorization-server': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: Record<string, unknown>
  }
  /** The metadata of the authorization server. */
  'GET /.well-known/openid-configuration': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: Record<string, unknown>
  }
  /** The user who authorized the app. */
  'GET /general/api/v1/token/authorized_by': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { id: string; email: string; firstName: string; lastName: string }
  }
  /** The user who authorized the app, under the names of OpenID Connect. */
  'GET /general/oauth/userinfo': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { sub: string; name: string; email: string }
  }
  /** The scope and the projects of the token, and its app. */
  'GET /general/api/v1/token/introspect': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      authorization: {
        id: string
        createdOn: string
        grantType: string
        /** Scope names, separated by spaces. */
        scope: string
        userId: string
        authorizedTo: { projectIds: string[] }
      }
      application: { id: string; description: string; homepage: string; displayName: string }
    }
  }
  /** The projects of the authorization that its user is a member of now. */
  'GET /general/api/v1/project/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { projects: Array<{ id: string; name: string; slug: string; domain?: string }> }
  }
  /** One project. */
  'POST /general/api/v1/project/details': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: { id: string; name: string; slug: string; domain?: string }
  }
  /** Every script of the calling app; `id` is null for one that is not connected to the project. */
  'POST /general/api/v1/scripts/list': {
    params: Record<string, never>
    query: { project_id: string }
    request: Record<string, never>
    response: {
      project_id: string
      scripts: Array<{
        script_id: number
        id: number | null
        parameters: Record<string, string | number | boolean | null>
      }>
    }
  }
  /** Connects a script to the project, or replaces the parameters of one that is connected. */
  'POST /general/api/v1/scripts/embed': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; scriptId: number; parameters?: unknown }
    response: { success: true }
  }
  /** Disconnects a script from its project. */
  'DELETE /general/api/v1/scripts/connection/:connectionId': {
    params: { connectionId: number }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The posts of the site. */
  'POST /general/api/v1/cms/post/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      filters?: {
        status?: 'draft' | 'published' | 'archived'
        category?: string
        author?: string
        /** Case-insensitive search in titles */
        search?: string
      }
      sort?: 'created_on' | 'last_update' | 'title' | 'word_count'
      order?: 'asc' | 'dsc' | 'desc'
      limit?: number
      offset?: number
    }
    response: {
      success: true
      data: Array<{
        id: number
        title: string
        slug: string
        status: 'draft' | 'published' | 'archived'
        author: string
        created_on: string
        last_update: string
        category: string
        word_count: number
        excerpt: string
        url: string | null
      }>
    }
  }
  /** A post with its content, safe to show elsewhere. */
  'POST /general/api/v1/cms/post/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; id: number }
    response: {
      success: true
      data: {
        id: number
        title: string
        slug: string
        status: 'draft' | 'published' | 'archived'
        author: string
        created_on: string
        last_update: string
        category: string
        word_count: number
        excerpt: string
        url: string | null
        content: string
      }
    }
  }
  /** The directory items of the site. */
  'POST /general/api/v1/directory/item/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; directory?: string; limit?: number; offset?: number }
    response: {
      success: true
      data: Array<{
        id: number
        directory: string
        title: string
        slug: string
        fields: Record<string, unknown>
        created_on: string
        last_update: string
      }>
    }
  }
  /** Signs in with a password. Each login begins a new session. An account with a second factor gets a ticket instead, which goes to /user/login/second-factor with a code. */
  'POST /user/login': {
    params: Record<string, never>
    query: Record<string, never>
    request: { email: string; password: string }
    response: {
      user: { id: string; email: string; firstName: string; lastName: string; is_reviewer: boolean }
    } | { second_factor: { ticket: string } }
  }
  /** Completes a sign-in with a one-time code or a recovery code. Each code works once. */
  'POST /user/login/second-factor': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      ticket: string
      /** A one-time code or a recovery code. */
      code: string
    }
    response: {
      user: { id: string; email: string; firstName: string; lastName: string; is_reviewer: boolean }
    }
  }
  /** What the browser needs to sign in with a passkey. The answer works once, for five minutes. */
  'POST /user/login/passkey/options': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { options: Record<string, unknown> }
  }
  /** Signs in with a passkey, which replaces the password and the second factor. */
  'POST /user/login/passkey': {
    params: Record<string, never>
    query: Record<string, never>
    request: { response: Record<string, unknown> }
    response: {
      user: { id: string; email: string; firstName: string; lastName: string; is_reviewer: boolean }
    }
  }
  /** Ends the session. A session that has ended already is no error. */
  'POST /user/logout': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The signed-in user. */
  'GET /user/me': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      user: { id: string; email: string; firstName: string; lastName: string; is_reviewer: boolean }
    }
  }
  /** Changes the name of the signed-in user. */
  'PATCH /user/me': {
    params: Record<string, never>
    query: Record<string, never>
    request: { firstName?: string; lastName?: string }
    response: {
      user: { id: string; email: string; firstName: string; lastName: string; is_reviewer: boolean }
    }
  }
  /** Sends a link to reset the password. The response is the same when no account has the address. */
  'POST /user/password/reset-request': {
    params: Record<string, never>
    query: Record<string, never>
    request: { email: string }
    response: { success: true }
  }
  /** Sets a new password with the token of a reset message. It neither signs in nor removes a second factor. */
  'POST /user/password/reset': {
    params: Record<string, never>
    query: Record<string, never>
    request: { token: string; password: string }
    response: { success: true }
  }
  /** Changes the password. Every session ends, and this browser gets a new one. */
  'POST /user/password/change': {
    params: Record<string, never>
    query: Record<string, never>
    request: { current_password: string; password: string }
    response: { success: true }
  }
  /** The sessions of the signed-in user. */
  'GET /user/sessions': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      sessions: Array<{
        id: string
        current: boolean
        address: string
        user_agent: string
        created_on: string
        last_used_on: string
        expires_on: string
      }>
    }
  }
  /** Signs out everywhere, in this browser too. */
  'DELETE /user/sessions': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** Signs out everywhere but in this browser. */
  'POST /user/sessions/end-others': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** Ends one session. */
  'DELETE /user/sessions/:id': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The browsers that the signed-in user has signed in with. */
  'GET /user/devices': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      devices: Array<{
        id: string
        current: boolean
        address: string
        user_agent: string
        created_on: string
        last_used_on: string
      }>
    }
  }
  /** Forgets a device and ends its sessions. */
  'DELETE /user/devices/:id': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** Sends a link to a new address. The account has it once the link is used. */
  'POST /user/email/change': {
    params: Record<string, never>
    query: Record<string, never>
    request: { email: string }
    response: { success: true }
  }
  /** Gives an account its new address, with the token of the message. */
  'POST /user/email/confirm': {
    params: Record<string, never>
    query: Record<string, never>
    request: { token: string }
    response: { email: string }
  }
  /** What the deletion of the account would do, and what is in its way. */
  'GET /user/deletion': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      deletion: {
        deletes_projects: Array<{ id: string; name: string }>
        blocked_by: Array<{ id: string; name: string }>
        leaves_projects: Array<{ id: string; name: string }>
        deletes_apps: Array<{ id: string; displayName: string }>
        hands_over_apps: Array<{
          id: string
          displayName: string
          /** The user who gets it. */
          to: string
        }>
        /** The account cannot be deleted. */
        is_last_administrator: boolean
      }
    }
  }
  /** Deletes the account, at once and for good. */
  'POST /user/deletion': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      /** The address of the account, typed again. */
      email: string
    }
    response: { success: true }
  }
  /** Who can make an account here. */
  'GET /user/sign-up': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { sign_up: 'closed' | 'invited' | 'open' }
  }
  /** Makes an account with the token of the message, and signs in. */
  'POST /user/sign-up': {
    params: Record<string, never>
    query: Record<string, never>
    request: { token: string; password: string; firstName?: string; lastName?: string }
    response: {
      user: { id: string; email: string; firstName: string; lastName: string; is_reviewer: boolean }
    }
  }
  /** Sends a link that makes an account. The response is the same for every address. */
  'POST /user/sign-up/request': {
    params: Record<string, never>
    query: Record<string, never>
    request: { email: string }
    response: { success: true }
  }
  /** How the signed-in user signs in: passkeys and second factor. */
  'GET /user/security': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      confirmed_until: string
      passkeys: Array<{ id: string; name: string; created_on: string; last_used_on: string | null }>
      /** False where the address of the service has no host name. */
      passkeys_possible: boolean
      totp: { created_on: string; recovery_codes_left: number } | null
    }
  }
  /** Confirms the session with the password, for ten minutes. */
  'POST /user/confirm': {
    params: Record<string, never>
    query: Record<string, never>
    request: { password: string }
    response: { confirmed_until: string }
  }
  /** What the browser needs to confirm the session with a passkey. */
  'POST /user/confirm/passkey/options': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { options: Record<string, unknown> }
  }
  /** Confirms the session with a passkey, for ten minutes. */
  'POST /user/confirm/passkey': {
    params: Record<string, never>
    query: Record<string, never>
    request: { response: Record<string, unknown> }
    response: { confirmed_until: string }
  }
  /** A secret for an authenticator app. Nothing is stored until its first code comes back. */
  'POST /user/totp/enrollment': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { secret: string; otpauth_url: string; qr_svg: string; enrollment: string }
  }
  /** Turns one-time codes on, with the first code of the authenticator app. */
  'POST /user/totp': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      enrollment: string
      /** A one-time code or a recovery code. */
      code: string
    }
    response: {
      /** Shown once. Each replaces a one-time code once. */
      recovery_codes: string[]
    }
  }
  /** Turns one-time codes off, and the recovery codes with them. */
  'DELETE /user/totp': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** Ten new recovery codes. The old ones end. */
  'POST /user/totp/recovery-codes': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      /** Shown once. Each replaces a one-time code once. */
      recovery_codes: string[]
    }
  }
  /** What the browser needs to make a passkey. The answer works once, for five minutes. */
  'POST /user/passkeys/options': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { options: Record<string, unknown> }
  }
  /** Adds a passkey that the browser has made. */
  'POST /user/passkeys': {
    params: Record<string, never>
    query: Record<string, never>
    request: { name: string; response: Record<string, unknown> }
    response: { passkey: { id: string; name: string; created_on: string; last_used_on: string | null } }
  }
  /** Removes a passkey. */
  'DELETE /user/passkeys/:id': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The apps that the signed-in user has authorized, one entry for each authorization. */
  'GET /user/connected-apps': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      connected_apps: Array<{
        authorization_id: string
        app: { id: string; displayName: string; homepage: string }
        /** Scope names, separated by spaces. */
        scope: string
        created_on: string
        last_used_on: string | null
        project_ids: string[]
      }>
    }
  }
  /** The apps that the signed-in user has authorized, with what they may and what ends with them. */
  'GET /user/connected-apps/overview': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      connected_apps: Array<{
        authorization_id: string
        app: { id: string; displayName: string; homepage: string }
        /** Scope names, separated by spaces. */
        scope: string
        created_on: string
        last_used_on: string | null
        maker: string | null
        /** What it may, as the consent page says it. */
        permissions: string[]
        projects: Array<{ id: string; slug: string; name: string }>
        /** The app's scripts on the pages of these projects. */
        scripts: Array<{
          project_id: string
          names: string[]
          /** Another connection of the app keeps them when this one ends. */
          stay: boolean
        }>
      }>
    }
  }
  /** Ends an authorization with all its tokens. */
  'DELETE /user/connected-apps/:authorizationId': {
    params: { authorizationId: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The apps that members have authorized for the project. */
  'POST /project/apps/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      apps: Array<{
        authorization_id: string
        app: { id: string; displayName: string; homepage: string }
        /** Scope names, separated by spaces. */
        scope: string
        created_on: string
        last_used_on: string | null
        user_id: string
      }>
    }
  }
  /** Takes the project away from an app, whichever members authorized it. */
  'POST /project/apps/disconnect': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; app_id: string }
    response: { success: true }
  }
  /** The apps that act in the project, each once, and the scripts on its pages. */
  'POST /project/apps/overview': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      apps: Array<{
        id: string
        displayName: string
        homepage: string
        maker: string | null
        /** What it may, as the consent page says it. */
        permissions: string[]
        /** What its present version may ask for beyond that. A member allows it by connecting the app again. */
        asks_for: string[]
        /** The members who let it in. */
        people: Array<{ user_id: string; name: string; connected_on: string }>
        last_used_on: string | null
        /** Its calls for this project today and in the six days before. */
        calls_in_7_days: number
        suspension: { suspended_on: string; comment: string } | null
      }>
      scripts: Array<{
        connection_id: number
        script_id: number
        app: { id: string; displayName: string }
        name: string
        type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
        placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
        parameters: Record<string, string | number | boolean | null>
        /** As visitors get it, with the parameters filled in. */
        code: string
        /** Where they are filled in. */
        filled: Array<{ from: number; to: number }>
        enabled: boolean
        /** It is on the pages: switched on, and its app may run. */
        injected: boolean
        connected_on: string
        last_update: string
        /** `not_running`: its app may not run here at the moment, or what it makes is too large or swallows the page. */
        state: 'on' | 'after_consent' | 'off' | 'not_running'
      }>
      tests: Array<{
        app: { id: string; displayName: string }
        added_by: { user_id: string; email: string }
        added_on: string
      }>
      /** Published pages and posts: each has the scripts that run. */
      pages: number
      consent_required: boolean
    }
  }
  /** The apps of the teams that the signed-in user belongs to. */
  'GET /user/developer/apps': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      apps: Array<{
        id: string
        client_id: string
        client_type: 'confidential' | 'public'
        displayName: string
        description: string
        homepage: string
        redirect_uris: string[]
        require_pkce: boolean
        require_par: boolean
        scopes: string[]
        scope_reasons: Record<string, string>
        approved: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        } | null
        draft: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        }
        status: 'development' | 'in_review' | 'approved' | 'rejected'
        suspended_on: string | null
        suspension_comment: string | null
        created_on: string
        last_update: string
      }>
    }
  }
  /** Registers an app. The response is the only place where the secret of a confidential client is shown. */
  'POST /user/developer/apps': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      displayName: string
      description?: string
      /** an http or https address */
      homepage?: string
      redirect_uris: string[]
      scopes: string[]
      scope_reasons?: Record<string, string>
      require_pkce?: boolean
      require_par?: boolean
      client_type?: 'confidential' | 'public'
    }
    response: {
      app: {
        id: string
        client_id: string
        client_type: 'confidential' | 'public'
        displayName: string
        description: string
        homepage: string
        redirect_uris: string[]
        require_pkce: boolean
        require_par: boolean
        scopes: string[]
        scope_reasons: Record<string, string>
        approved: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        } | null
        draft: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        }
        status: 'development' | 'in_review' | 'approved' | 'rejected'
        suspended_on: string | null
        suspension_comment: string | null
        created_on: string
        last_update: string
      }
      client_secret?: string
    }
  }
  /** One app, for its team and for reviewers. */
  'GET /user/developer/apps/:id': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      app: {
        id: string
        client_id: string
        client_type: 'confidential' | 'public'
        displayName: string
        description: string
        homepage: string
        redirect_uris: string[]
        require_pkce: boolean
        require_par: boolean
        scopes: string[]
        scope_reasons: Record<string, string>
        approved: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        } | null
        draft: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        }
        status: 'development' | 'in_review' | 'approved' | 'rejected'
        suspended_on: string | null
        suspension_comment: string | null
        created_on: string
        last_update: string
      }
    }
  }
  /** Changes an app. In an approved app, identity, redirect URIs and scopes wait for the next approved version. */
  'PATCH /user/developer/apps/:id': {
    params: { id: string }
    query: Record<string, never>
    request: {
      displayName?: string
      description?: string
      /** an http or https address */
      homepage?: string
      redirect_uris?: string[]
      scopes?: string[]
      scope_reasons?: Record<string, string>
      require_pkce?: boolean
      require_par?: boolean
    }
    response: {
      app: {
        id: string
        client_id: string
        client_type: 'confidential' | 'public'
        displayName: string
        description: string
        homepage: string
        redirect_uris: string[]
        require_pkce: boolean
        require_par: boolean
        scopes: string[]
        scope_reasons: Record<string, string>
        approved: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        } | null
        draft: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        }
        status: 'development' | 'in_review' | 'approved' | 'rejected'
        suspended_on: string | null
        suspension_comment: string | null
        created_on: string
        last_update: string
      }
    }
  }
  /** Deletes an app with its authorizations, secrets, scripts and their connections. */
  'DELETE /user/developer/apps/:id': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The secrets of an app, without their values. */
  'GET /user/developer/apps/:id/secrets': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      secrets: Array<{
        id: string
        hint: string
        created_on: string
        last_used_on: string | null
        revoked_at: string | null
      }>
    }
  }
  /** Adds a secret. The response is the only place where it is shown. */
  'POST /user/developer/apps/:id/secrets': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      secret: {
        id: string
        hint: string
        created_on: string
        last_used_on: string | null
        revoked_at: string | null
      }
      client_secret: string
    }
  }
  /** Revokes a secret. */
  'DELETE /user/developer/apps/:id/secrets/:secretId': {
    params: { id: string; secretId: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The store listing as its developer has written it. */
  'GET /user/developer/apps/:id/listing': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      listing: {
        tagline: string
        description: string
        /** an http or https address */
        icon_url: string
        screenshots: string[]
        /** an http or https address */
        support_url: string
        /** an http or https address */
        privacy_url: string
        category: string
      }
    }
  }
  /** Replaces the store listing. Properties that are left out become empty. */
  'PUT /user/developer/apps/:id/listing': {
    params: { id: string }
    query: Record<string, never>
    request: {
      tagline?: string
      description?: string
      /** an http or https address */
      icon_url?: string
      screenshots?: string[]
      /** an http or https address */
      support_url?: string
      /** an http or https address */
      privacy_url?: string
      category?: string
    }
    response: {
      listing: {
        tagline: string
        description: string
        /** an http or https address */
        icon_url: string
        screenshots: string[]
        /** an http or https address */
        support_url: string
        /** an http or https address */
        privacy_url: string
        category: string
      }
    }
  }
  /** What the app called in the last seven days, newest first. Bodies are not logged. */
  'GET /user/developer/apps/:id/requests': {
    params: { id: string }
    query: {
      limit?: number
      before_id?: number
      status?: number
      error?: string
      project?: string
      method?: string
      route?: string
    }
    request: Record<string, never>
    response: {
      requests: Array<{
        id: number
        time: string
        method: string
        route: string
        status: number
        request_id: string
        duration_ms: number
        error: string | null
        project_id: string | null
      }>
    }
  }
  /** The team of an app. */
  'GET /user/developer/apps/:id/team': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      team: Array<{
        user_id: string
        email: string
        firstName: string
        lastName: string
        /** Made the app, and cannot be removed. */
        creator: boolean
        added_on: string
      }>
      invitations: Array<{ id: string; email: string; expires_on: string }>
    }
  }
  /** Adds a user to the team by email address. */
  'POST /user/developer/apps/:id/team': {
    params: { id: string }
    query: Record<string, never>
    request: { email: string }
    response: {
      member: {
        user_id: string
        email: string
        firstName: string
        lastName: string
        /** Made the app, and cannot be removed. */
        creator: boolean
        added_on: string
      }
    }
  }
  /** Invites an address to the team. The link is sent to that address only. */
  'POST /user/developer/apps/:id/team/invitations': {
    params: { id: string }
    query: Record<string, never>
    request: { email: string }
    response: { invitation: { id: string; email: string; expires_on: string } }
  }
  /** Revokes an open invitation to the team. */
  'DELETE /user/developer/apps/:id/team/invitations/:invitationId': {
    params: { id: string; invitationId: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** Removes a user from the team. */
  'DELETE /user/developer/apps/:id/team/:userId': {
    params: { id: string; userId: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The projects that use the app now, those that connected last first, and what happened last. */
  'GET /user/developer/apps/:id/installs': {
    params: { id: string }
    query: {
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    request: Record<string, never>
    response: {
      installs: Array<{
        project_id: string
        name: string
        domain: string | null
        scope: string
        /** Users who have authorized the app for the project. */
        users: number
        connected_on: string
        last_used_on: string | null
        scripts: Array<{
          script_id: number
          name: string
          type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
          /** False once the owner of the site switched it off. */
          enabled: boolean
        }>
      }>
      next_cursor: string | null
      totals: {
        projects: number
        users: number
        script_connections: number
        /** For projects that authorized it, today and in the six days before. */
        calls_in_7_days: number
        /** Calls among them that were refused or failed. */
        errors_in_7_days: number
      }
      latest_events: Array<{
        id: number
        type: 'connected' | 'scopes_changed' | 'disconnected' | 'suspended' | 'resumed'
        time: string
        project_id: string | null
        scope: string | null
        comment: string | null
      }>
    }
  }
  /** The open invitations to the address of the signed-in user. */
  'GET /user/invitations': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      invitations: Array<{
        id: string
        kind: 'project' | 'app'
        /** Of the project or app. */
        name: string
        /** What the user would become, such as `an editor of the project`. */
        place: string
        inviter: string
        expires_on: string
      }>
    }
  }
  /** Accepts an invitation to the address of the signed-in user. */
  'POST /user/invitations/:id/accept': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The pictures of an app, newest first. */
  'GET /user/developer/apps/:id/images': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      images: Array<{
        id: number
        name: string
        url: string
        type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
        width: number
        height: number
        bytes: number
        created_on: string
      }>
    }
  }
  /** Adds a picture for the listing of an app, encoded anew. */
  'POST /user/developer/apps/:id/images': {
    params: { id: string }
    query: { name?: string }
    request: Record<string, never>
    response: {
      image: {
        id: number
        name: string
        url: string
        type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
        width: number
        height: number
        bytes: number
        created_on: string
      }
    }
  }
  /** Deletes a picture that the listing does not show. */
  'DELETE /user/developer/apps/:id/images/:imageId': {
    params: { id: string; imageId: number }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The projects whose pages get the drafts of the app. */
  'GET /user/developer/apps/:id/test-projects': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      test_projects: Array<{
        project_id: string
        name: string
        slug: string
        added_by: { user_id: string; email: string }
        added_on: string
      }>
    }
  }
  /** Gives the pages of a project that the caller administers the drafts of all scripts of the app. */
  'POST /user/developer/apps/:id/test-projects': {
    params: { id: string }
    query: Record<string, never>
    request: { project_id: string }
    response: {
      test_project: {
        project_id: string
        name: string
        slug: string
        added_by: { user_id: string; email: string }
        added_on: string
      }
    }
  }
  /** Ends the test in a project. */
  'DELETE /user/developer/apps/:id/test-projects/:projectId': {
    params: { id: string; projectId: string }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The scripts of an app. */
  'GET /user/developer/apps/:id/scripts': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      scripts: Array<{
        id: number
        name: string
        type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
        placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
        code: string
        parameters: Record<string, string | number | boolean | null>
        /** `text` (the default) escapes `&`, `<` and `>`; `html` stands as it is. */
        parameter_formats: Record<string, 'text' | 'html'>
        status: 'draft' | 'active'
        created_on: string
        last_update: string
      }>
    }
  }
  /** Adds a script. */
  'POST /user/developer/apps/:id/scripts': {
    params: { id: string }
    query: Record<string, never>
    request: {
      name: string
      type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
      placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
      code: string
      parameters?: unknown
      /** `text` (the default) escapes `&`, `<` and `>`; `html` stands as it is. */
      parameter_formats?: Record<string, 'text' | 'html'>
    }
    response: {
      script: {
        id: number
        name: string
        type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
        placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
        code: string
        parameters: Record<string, string | number | boolean | null>
        /** `text` (the default) escapes `&`, `<` and `>`; `html` stands as it is. */
        parameter_formats: Record<string, 'text' | 'html'>
        status: 'draft' | 'active'
        created_on: string
        last_update: string
      }
    }
  }
  /** A script that is not saved, as sites would get it with the given values. */
  'POST /user/developer/apps/:id/scripts/render': {
    params: { id: string }
    query: Record<string, never>
    request: {
      code: string
      parameters?: unknown
      /** `text` (the default) escapes `&`, `<` and `>`; `html` stands as it is. */
      parameter_formats?: Record<string, 'text' | 'html'>
    }
    response: {
      /** A placeholder without a value stays. */
      code: string
      /** The placeholders of the code. */
      keys: string[]
      problem: string | null
      problem_at: { from: number; to: number } | null
    }
  }
  /** One script. */
  'GET /user/developer/apps/:id/scripts/:scriptId': {
    params: { id: string; scriptId: number }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      script: {
        id: number
        name: string
        type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
        placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
        code: string
        parameters: Record<string, string | number | boolean | null>
        /** `text` (the default) escapes `&`, `<` and `>`; `html` stands as it is. */
        parameter_formats: Record<string, 'text' | 'html'>
        status: 'draft' | 'active'
        created_on: string
        last_update: string
      }
    }
  }
  /** Changes a script. Sites of an approved app keep the approved text until a new version is approved. */
  'PATCH /user/developer/apps/:id/scripts/:scriptId': {
    params: { id: string; scriptId: number }
    query: Record<string, never>
    request: {
      name?: string
      type?: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
      placement?: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
      code?: string
      parameters?: unknown
      /** `text` (the default) escapes `&`, `<` and `>`; `html` stands as it is. */
      parameter_formats?: Record<string, 'text' | 'html'>
    }
    response: {
      script: {
        id: number
        name: string
        type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
        placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
        code: string
        parameters: Record<string, string | number | boolean | null>
        /** `text` (the default) escapes `&`, `<` and `>`; `html` stands as it is. */
        parameter_formats: Record<string, 'text' | 'html'>
        status: 'draft' | 'active'
        created_on: string
        last_update: string
      }
    }
  }
  /** Removes a script. */
  'DELETE /user/developer/apps/:id/scripts/:scriptId': {
    params: { id: string; scriptId: number }
    query: Record<string, never>
    request: Record<string, never>
    response: { success: true }
  }
  /** The versions of an app. */
  'GET /user/developer/apps/:id/versions': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      versions: Array<{
        id: number
        number: number
        app_id: string
        status: 'draft' | 'submitted' | 'approved' | 'rejected'
        /** Sites get this version. */
        live: boolean
        notes: string
        created_by: string
        created_on: string
      }>
    }
  }
  /** Freezes identity, scripts, listing and scopes as a new version. */
  'POST /user/developer/apps/:id/versions': {
    params: { id: string }
    query: Record<string, never>
    request: { notes?: string }
    response: {
      version: {
        id: number
        number: number
        app_id: string
        status: 'draft' | 'submitted' | 'approved' | 'rejected'
        /** Sites get this version. */
        live: boolean
        notes: string
        created_by: string
        created_on: string
      }
    }
  }
  /** One version with its contents. */
  'GET /user/developer/apps/:id/versions/:versionId': {
    params: { id: string; versionId: number }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      version: {
        id: number
        number: number
        app_id: string
        status: 'draft' | 'submitted' | 'approved' | 'rejected'
        /** Sites get this version. */
        live: boolean
        notes: string
        created_by: string
        created_on: string
        displayName: string
        description: string
        homepage: string
        redirect_uris: string[]
        scripts: Array<{
          id: number
          name: string
          type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
          placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
          code: string
          parameters: Record<string, string | number | boolean | null>
          /** `text` (the default) escapes `&`, `<` and `>`; `html` stands as it is. */
          parameter_formats: Record<string, 'text' | 'html'>
        }>
        listing: {
          tagline: string
          description: string
          /** an http or https address */
          icon_url: string
          screenshots: string[]
          /** an http or https address */
          support_url: string
          /** an http or https address */
          privacy_url: string
          category: string
        }
        scopes: string[]
        scope_reasons: Record<string, string>
      }
    }
  }
  /** Gives sites an earlier approved version. */
  'POST /user/developer/apps/:id/versions/:versionId/rollback': {
    params: { id: string; versionId: number }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      version: {
        id: number
        number: number
        app_id: string
        status: 'draft' | 'submitted' | 'approved' | 'rejected'
        /** Sites get this version. */
        live: boolean
        notes: string
        created_by: string
        created_on: string
      }
    }
  }
  /** Review requests, newest first: reviewers see all, developers those of their apps. */
  'GET /user/review-requests': {
    params: Record<string, never>
    query: {
      limit?: number
      before_id?: number
      status?: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'withdrawn'
    }
    request: Record<string, never>
    response: {
      review_requests: Array<{
        id: number
        app_id: string
        version_id: number
        status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'withdrawn'
        comment: string
        submitted_by: string
        decided_by: string | null
        created_on: string
        decided_on: string | null
      }>
    }
  }
  /** Submits a version for review. */
  'POST /user/review-requests': {
    params: Record<string, never>
    query: Record<string, never>
    request: { app_id: string; version_id: number }
    response: {
      review_request: {
        id: number
        app_id: string
        version_id: number
        status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'withdrawn'
        comment: string
        submitted_by: string
        decided_by: string | null
        created_on: string
        decided_on: string | null
      }
    }
  }
  /** One review request. */
  'GET /user/review-requests/:id': {
    params: { id: number }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      review_request: {
        id: number
        app_id: string
        version_id: number
        status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'withdrawn'
        comment: string
        submitted_by: string
        decided_by: string | null
        created_on: string
        decided_on: string | null
      }
    }
  }
  /** Approves a version; for reviewers. Sites get it at once. */
  'POST /user/review-requests/:id/approve': {
    params: { id: number }
    query: Record<string, never>
    request: { comment?: string }
    response: {
      review_request: {
        id: number
        app_id: string
        version_id: number
        status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'withdrawn'
        comment: string
        submitted_by: string
        decided_by: string | null
        created_on: string
        decided_on: string | null
      }
    }
  }
  /** Rejects a version; for reviewers. A comment is required. */
  'POST /user/review-requests/:id/reject': {
    params: { id: number }
    query: Record<string, never>
    request: { comment?: string }
    response: {
      review_request: {
        id: number
        app_id: string
        version_id: number
        status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'withdrawn'
        comment: string
        submitted_by: string
        decided_by: string | null
        created_on: string
        decided_on: string | null
      }
    }
  }
  /** Asks for changes; for reviewers. A comment is required. */
  'POST /user/review-requests/:id/request-changes': {
    params: { id: number }
    query: Record<string, never>
    request: { comment?: string }
    response: {
      review_request: {
        id: number
        app_id: string
        version_id: number
        status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'withdrawn'
        comment: string
        submitted_by: string
        decided_by: string | null
        created_on: string
        decided_on: string | null
      }
    }
  }
  /** Withdraws a review request. */
  'POST /user/review-requests/:id/withdraw': {
    params: { id: number }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      review_request: {
        id: number
        app_id: string
        version_id: number
        status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'withdrawn'
        comment: string
        submitted_by: string
        decided_by: string | null
        created_on: string
        decided_on: string | null
      }
    }
  }
  /** Suspends an app; for reviewers. */
  'POST /user/developer/apps/:id/suspend': {
    params: { id: string }
    query: Record<string, never>
    request: { comment?: string }
    response: {
      app: {
        id: string
        client_id: string
        client_type: 'confidential' | 'public'
        displayName: string
        description: string
        homepage: string
        redirect_uris: string[]
        require_pkce: boolean
        require_par: boolean
        scopes: string[]
        scope_reasons: Record<string, string>
        approved: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        } | null
        draft: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        }
        status: 'development' | 'in_review' | 'approved' | 'rejected'
        suspended_on: string | null
        suspension_comment: string | null
        created_on: string
        last_update: string
      }
    }
  }
  /** Lifts the suspension of an app; for reviewers. */
  'POST /user/developer/apps/:id/unsuspend': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      app: {
        id: string
        client_id: string
        client_type: 'confidential' | 'public'
        displayName: string
        description: string
        homepage: string
        redirect_uris: string[]
        require_pkce: boolean
        require_par: boolean
        scopes: string[]
        scope_reasons: Record<string, string>
        approved: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        } | null
        draft: {
          displayName: string
          description: string
          homepage: string
          icon_url: string
          redirect_uris: string[]
          scopes: string[]
        }
        status: 'development' | 'in_review' | 'approved' | 'rejected'
        suspended_on: string | null
        suspension_comment: string | null
        created_on: string
        last_update: string
      }
    }
  }
  /** The projects that the signed-in user is a member of. */
  'POST /project/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      projects: Array<{
        id: string
        name: string
        slug: string
        domain?: string
        domain_status?: 'unproven' | 'proven' | 'lost'
        /** The domain that is served while another waits. */
        served_domain?: string
        domain_record?: { type: 'TXT'; name: string; value: string }
        role: 'owner' | 'administrator' | 'editor' | 'member'
      }>
    }
  }
  /** Creates a project. Its creator becomes its owner. */
  'POST /project/create': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      name: string
      /** Made from the name when left out. */
      slug?: string
      domain?: string | null
    }
    response: {
      project: {
        id: string
        name: string
        slug: string
        domain?: string
        domain_status?: 'unproven' | 'proven' | 'lost'
        /** The domain that is served while another waits. */
        served_domain?: string
        domain_record?: { type: 'TXT'; name: string; value: string }
        role: 'owner' | 'administrator' | 'editor' | 'member'
      }
    }
  }
  /** One project. */
  'POST /project/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      project: {
        id: string
        name: string
        slug: string
        domain?: string
        domain_status?: 'unproven' | 'proven' | 'lost'
        /** The domain that is served while another waits. */
        served_domain?: string
        domain_record?: { type: 'TXT'; name: string; value: string }
        role: 'owner' | 'administrator' | 'editor' | 'member'
      }
    }
  }
  /** Changes a project; `domain: null` removes its domain, another one is served once it is proven. */
  'POST /project/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; name?: string; slug?: string; domain?: string | null }
    response: {
      project: {
        id: string
        name: string
        slug: string
        domain?: string
        domain_status?: 'unproven' | 'proven' | 'lost'
        /** The domain that is served while another waits. */
        served_domain?: string
        domain_record?: { type: 'TXT'; name: string; value: string }
        role: 'owner' | 'administrator' | 'editor' | 'member'
      }
    }
  }
  /** Looks for the record that proves the domain of a project, and serves the domain when it is there. */
  'POST /project/domain/verify': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      project: {
        id: string
        name: string
        slug: string
        domain?: string
        domain_status?: 'unproven' | 'proven' | 'lost'
        /** The domain that is served while another waits. */
        served_domain?: string
        domain_record?: { type: 'TXT'; name: string; value: string }
        role: 'owner' | 'administrator' | 'editor' | 'member'
      }
      found: 'published' | 'missing' | 'different' | 'no_answer'
    }
  }
  /** Creates an API key. The response is the only place where the key itself is shown. */
  'POST /project/api-keys/create': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; name: string }
    response: {
      api_key: {
        id: string
        name: string
        /** The last four characters of the key. */
        hint: string
        created_by: string
        created_on: string
        last_used_on: string | null
      }
      key: string
    }
  }
  /** The API keys in use: administrators see all of them, other members their own. */
  'POST /project/api-keys/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      api_keys: Array<{
        id: string
        name: string
        /** The last four characters of the key. */
        hint: string
        created_by: string
        created_on: string
        last_used_on: string | null
      }>
    }
  }
  /** Revokes an API key that the caller can see. */
  'POST /project/api-keys/revoke': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; api_key_id: string }
    response: { success: true }
  }
  /** What the project holds and sends, and the limits of it. */
  'POST /project/usage': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      usage: {
        contacts: { used: number; limit: number }
        messages_this_month: { used: number; limit: number | null; resets_on: string }
        members: { used: number; limit: number }
        api_keys: { used: number; limit: number }
        stored: Array<{
          kind: 'suppressions' | 'pages' | 'posts' | 'directory_items' | 'form_entries' | 'files' | 'site_files'
          rows: number
          row_limit: number
          bytes: number
          byte_limit: number
        }>
      }
    }
  }
  /** Makes another member the owner in the place of the caller, who stays an administrator. */
  'POST /project/hand-over': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; user_id: string }
    response: {
      member: {
        user_id: string
        email: string
        firstName: string
        lastName: string
        role: 'owner' | 'administrator' | 'editor' | 'member'
        added_on: string
      }
    }
  }
  /** Deletes the project with everything that it holds, at once and for good. */
  'POST /project/delete': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      /** The name of the project, typed again. */
      name: string
    }
    response: { success: true }
  }
  /** The messages that sandbox connections of the project stored, newest first. */
  'POST /project/mailbox/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; to?: string; before_id?: number; limit?: number }
    response: {
      messages: Array<{ id: number; from: string; to: string; subject: string; received_on: string }>
      /** Whether the service stores messages at all. */
      sandbox: boolean
    }
  }
  /** One stored message. */
  'POST /project/mailbox/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; message_id: number }
    response: {
      message: {
        id: number
        from: string
        to: string
        subject: string
        received_on: string
        headers: Record<string, string | string[]>
        text: string | null
        html: string | null
        raw: string
      }
    }
  }
  /** Deletes the stored messages of the project. */
  'POST /project/mailbox/clear': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: { deleted: number }
  }
  /** The approved apps, those with the newest version first. */
  'GET /general/apps': {
    params: Record<string, never>
    query: {
      search?: string
      category?: string
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    request: Record<string, never>
    response: {
      apps: Array<{
        id: string
        displayName: string
        homepage: string
        tagline: string
        icon_url: string
        category: string
        /** Projects that use the app now. */
        projects: number
        last_update: string
      }>
      next_cursor: string | null
    }
  }
  /** An approved app with its listing, scopes and scripts. */
  'GET /general/apps/:id': {
    params: { id: string }
    query: Record<string, never>
    request: Record<string, never>
    response: {
      app: {
        id: string
        displayName: string
        homepage: string
        tagline: string
        icon_url: string
        category: string
        /** Projects that use the app now. */
        projects: number
        last_update: string
        description: string
        listing_description: string
        screenshots: string[]
        support_url: string
        privacy_url: string
        scopes: string[]
        scope_reasons: Record<string, string>
        scripts: Array<{
          name: string
          type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
          placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
        }>
        version: number
      }
    }
  }
  /** The members of the project, and its open invitations. */
  'POST /project/members/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      members: Array<{
        user_id: string
        email: string
        firstName: string
        lastName: string
        role: 'owner' | 'administrator' | 'editor' | 'member'
        added_on: string
      }>
      invitations: Array<{
        id: string
        email: string
        role: 'owner' | 'administrator' | 'editor' | 'member'
        expires_on: string
      }>
    }
  }
  /** Gives a member another role. Only owners manage owners. */
  'POST /project/members/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; user_id: string; role: 'owner' | 'administrator' | 'editor' | 'member' }
    response: {
      member: {
        user_id: string
        email: string
        firstName: string
        lastName: string
        role: 'owner' | 'administrator' | 'editor' | 'member'
        added_on: string
      }
    }
  }
  /** Ends a membership: anyone ends their own, administrators those of others. */
  'POST /project/members/remove': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; user_id: string }
    response: { success: true }
  }
  /** Invites an address. The link is sent to that address only; the inviter does not see it. */
  'POST /project/invitations/create': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; email: string; role: 'owner' | 'administrator' | 'editor' | 'member' }
    response: {
      invitation: {
        id: string
        email: string
        role: 'owner' | 'administrator' | 'editor' | 'member'
        expires_on: string
      }
    }
  }
  /** Revokes an open invitation. */
  'POST /project/invitations/revoke': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; invitation_id: string }
    response: { success: true }
  }
  /** The audit log of the project, newest first. */
  'POST /project/audit/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      actor?: string
      action?: string
      /** The rows of any of these things. */
      targets?: string[]
      /** ISO 8601 with an offset, e.g. 2026-05-01T09:30+02:00 */
      from?: string
      /** ISO 8601 with an offset, e.g. 2026-05-01T09:30+02:00 */
      to?: string
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: number
        at: string
        actor: string
        action: string
        target: string | null
        ip: string | null
        request_id: string | null
        project_id: string | null
        outcome: 'done' | 'refused'
        details: Record<string, unknown>
      }>
      next_cursor: string | null
    }
  }
  /** The audit log of the whole service, newest first; for administrators of the service. */
  'POST /user/operator/audit/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      actor?: string
      action?: string
      /** The rows of any of these things. */
      targets?: string[]
      /** ISO 8601 with an offset, e.g. 2026-05-01T09:30+02:00 */
      from?: string
      /** ISO 8601 with an offset, e.g. 2026-05-01T09:30+02:00 */
      to?: string
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
      project_id?: string
    }
    response: {
      items: Array<{
        id: number
        at: string
        actor: string
        action: string
        target: string | null
        ip: string | null
        request_id: string | null
        project_id: string | null
        outcome: 'done' | 'refused'
        details: Record<string, unknown>
      }>
      next_cursor: string | null
    }
  }
  /** The users of the service, newest first; for administrators of the service. */
  'POST /user/operator/users/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      search?: string
      status?: 'enabled' | 'disabled'
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: string
        email: string
        firstName: string
        lastName: string
        /** Administers the service. */
        is_reviewer: boolean
        created_on: string
        last_sign_in_on: string | null
        disabled_on: string | null
        sessions: number
        projects: number
        apps: number
        second_factor: boolean
        passkeys: number
      }>
      next_cursor: string | null
    }
  }
  /** Disables a user: sessions end, and API keys and tokens stop working. */
  'POST /user/operator/users/disable': {
    params: Record<string, never>
    query: Record<string, never>
    request: { user_id: string }
    response: {
      user: {
        id: string
        email: string
        firstName: string
        lastName: string
        /** Administers the service. */
        is_reviewer: boolean
        created_on: string
        last_sign_in_on: string | null
        disabled_on: string | null
      }
    }
  }
  /** Lets a disabled user sign in again. Keys and tokens work again, too. */
  'POST /user/operator/users/enable': {
    params: Record<string, never>
    query: Record<string, never>
    request: { user_id: string }
    response: {
      user: {
        id: string
        email: string
        firstName: string
        lastName: string
        /** Administers the service. */
        is_reviewer: boolean
        created_on: string
        last_sign_in_on: string | null
        disabled_on: string | null
      }
    }
  }
  /** Sends a user a link with which they choose a new password. The operator does not see it. */
  'POST /user/operator/users/send-reset': {
    params: Record<string, never>
    query: Record<string, never>
    request: { user_id: string }
    response: { success: true }
  }
  /** Signs a user out everywhere. API keys and tokens of apps stay. */
  'POST /user/operator/users/end-sessions': {
    params: Record<string, never>
    query: Record<string, never>
    request: { user_id: string }
    response: { ended: number }
  }
  /** All projects, newest first; for administrators of the service. */
  'POST /user/operator/projects/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      search?: string
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: string
        name: string
        slug: string
        domain?: string
        monthly_limit: number | null
        contact_limit: number | null
        owners: Array<{ user_id: string; email: string }>
        members: number
        contacts: number
        /** Messages of the calendar month (UTC). */
        sent_this_month: number
        created_on: string
      }>
      next_cursor: string | null
    }
  }
  /** Sets the limits of a project. Null is no limit; one that is left out stays. */
  'POST /user/operator/projects/limits': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; monthly_limit?: number | null; contact_limit?: number | null }
    response: {
      project: {
        id: string
        name: string
        slug: string
        domain?: string
        monthly_limit: number | null
        contact_limit: number | null
      }
    }
  }
  /** All apps, newest first; for administrators of the service. */
  'POST /user/operator/apps/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      search?: string
      status?: 'development' | 'in_review' | 'approved' | 'rejected'
      suspended?: boolean
      /** Whether a version waits for a review. */
      waiting?: boolean
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: string
        displayName: string
        client_type: 'confidential' | 'public'
        status: 'development' | 'in_review' | 'approved' | 'rejected'
        creator: { user_id: string; email: string }
        live_version: number | null
        pending_review_id: number | null
        /** Users who have authorized the app. */
        users: number
        /** Projects that they chose. */
        projects: number
        script_connections: number
        suspension: { suspended_on: string; suspended_by: string; comment: string } | null
        created_on: string
      }>
      next_cursor: string | null
    }
  }
  /** How the service is: readiness, loops, queues, disk, relays and backups. */
  'GET /user/operator/health': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      health: {
        version: string
        uptime_seconds: number
        ready: boolean
        reason: string | null
        workers: Array<{
          host: string
          pid: number
          started_on: string
          last_heartbeat_on: string
          /** Messages that the worker holds a lease on. */
          messages: number
        }>
        loops: Array<{
          name: string
          host: string
          pid: number
          running: boolean
          last_run_on: string
          took_ms: number | null
          failed_on: string | null
          lag_ms: number | null
        }>
        outbox: { queued: number; leased: number; sending: number; oldest_due_on: string | null }
        jobs: { queued: number; running: number; oldest_due_on: string | null }
        receipts: { stuck: number; oldest_on: string | null }
        account_mail: { queued: number; failed_in_last_day: number }
        campaigns: { sending: number; paused: number }
        relays_held_back: Array<{ project_id: string; project: string; connection_id: number; name: string; error: string }>
        disk: { free_bytes: number; total_bytes: number; database_bytes: number | null }
        backup: { made_on: string; file: string; size_bytes: number } | null
        restore_rehearsal: { made_on: string } | null
      }
    }
  }
  /** Copies the database to a new file in the folder `backups` of the data folder. */
  'POST /user/operator/backup': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { backup: { file: string; size_bytes: number; made_on: string } }
  }
  /** The settings of the service as it read them, with the source of each. Secrets are not shown. */
  'GET /user/operator/settings': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: {
      service: {
        version: string
        base_url: string
        database: 'file' | 'server'
        mail: {
          kind: 'relay' | 'sandbox' | 'none'
          from: string
          host: string | null
          port: number | null
          secure: string | null
        }
      }
      settings: Array<{
        name: string
        /** The environment variable. */
        variable: string
        help: string
        source: 'default' | 'flag' | 'environment' | 'file'
        /** The value is never shown. */
        secret: boolean
        /** Whether it has a value other than an empty one. */
        is_set: boolean
        value: string | number | boolean | null
      }>
    }
  }
  /** Sends a test of the service's own mail to the caller, and answers what the relay said. */
  'POST /user/operator/mail/test': {
    params: Record<string, never>
    query: Record<string, never>
    request: Record<string, never>
    response: { recipient: string; accepted: boolean; error: string | null }
  }
  /** The scripts that apps have connected to the project, and the apps whose drafts are tried in it. */
  'POST /project/scripts/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      scripts: Array<{
        connection_id: number
        script_id: number
        app: { id: string; displayName: string }
        name: string
        type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
        placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
        parameters: Record<string, string | number | boolean | null>
        /** As visitors get it, with the parameters filled in. */
        code: string
        /** Where they are filled in. */
        filled: Array<{ from: number; to: number }>
        enabled: boolean
        /** It is on the pages: switched on, and its app may run. */
        injected: boolean
        connected_on: string
        last_update: string
      }>
      tests: Array<{
        app: { id: string; displayName: string }
        added_by: { user_id: string; email: string }
        added_on: string
      }>
      settings: { consent_required: boolean }
    }
  }
  /** Takes the drafts of an app off the pages of the project. */
  'POST /project/scripts/end-test': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; app_id: string }
    response: { success: true }
  }
  /** Switches a script off or on. One that is off stays off, whatever its app does. */
  'POST /project/scripts/switch': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; connection_id: number; enabled: boolean }
    response: {
      script: {
        connection_id: number
        script_id: number
        app: { id: string; displayName: string }
        name: string
        type: 'Essential' | 'Functional' | 'Analytics' | 'Advertising'
        placement: 'HTML Head' | 'HTML Body start' | 'HTML Body end'
        parameters: Record<string, string | number | boolean | null>
        /** As visitors get it, with the parameters filled in. */
        code: string
        /** Where they are filled in. */
        filled: Array<{ from: number; to: number }>
        enabled: boolean
        /** It is on the pages: switched on, and its app may run. */
        injected: boolean
        connected_on: string
        last_update: string
      }
    }
  }
  /** Addresses that show a page of the site with a script and without it, to anyone who has them. */
  'POST /project/scripts/preview': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; connection_id: number; path: string }
    response: { with_script: string; without_script: string; expires_on: string }
  }
  /** Removes a script. Its app may connect it again. */
  'POST /project/scripts/remove': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; connection_id: number }
    response: { success: true }
  }
  /** Whether visitors are asked before scripts run that are not essential. */
  'POST /project/scripts/settings': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; consent_required: boolean }
    response: { settings: { consent_required: boolean } }
  }
  /** The records of every domain that the project sends from or has keys for. */
  'POST /project/dns/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      domains: Array<{
        domain: string
        records: Array<{
          purpose: 'dkim'
          type: 'TXT'
          name: string
          value: string
          key_id: number
          selector: string
          algorithm: 'rsa-sha256' | 'ed25519-sha256'
          /** Messages are signed with this key now. */
          signs: boolean
          created_at: string
          verified_at: string | null
        } | { purpose: 'spf' | 'dmarc'; type: 'TXT'; name: string; value: string; hint: string }>
      }>
    }
  }
  /** The records that a domain needs for mail through a connection that is still to be made. */
  'POST /project/dns/needed': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      provider: 'smtp' | 'ses' | 'sendgrid' | 'mailgun' | 'postmark' | 'resend' | 'brevo' | 'sandbox'
      /** Host name or IP address of the relay; default: the provider's relay (for SES, in us-east-1) */
      host?: string
      domain: string
    }
    response: {
      domain: string
      records: Array<{
        purpose: 'spf' | 'dkim' | 'dmarc'
        record: { type: 'TXT' | 'CNAME'; name: string; value: string } | null
      }>
    }
  }
  /** Creates a DKIM key. It signs nothing until its record was found in the DNS. */
  'POST /project/dns/create-key': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; domain: string; algorithm?: 'rsa-sha256' | 'ed25519-sha256' }
    response: {
      record: {
        purpose: 'dkim'
        type: 'TXT'
        name: string
        value: string
        key_id: number
        selector: string
        algorithm: 'rsa-sha256' | 'ed25519-sha256'
        /** Messages are signed with this key now. */
        signs: boolean
        created_at: string
        verified_at: string | null
      }
    }
  }
  /** Looks for the DKIM records of a domain in the DNS. */
  'POST /project/dns/verify': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; domain: string }
    response: {
      records: Array<{
        purpose: 'dkim'
        type: 'TXT'
        name: string
        value: string
        key_id: number
        selector: string
        algorithm: 'rsa-sha256' | 'ed25519-sha256'
        /** Messages are signed with this key now. */
        signs: boolean
        created_at: string
        verified_at: string | null
        found: 'published' | 'missing' | 'different' | 'no_answer'
      }>
    }
  }
  /** Deletes a DKIM key and destroys its private half. */
  'POST /project/dns/delete-key': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; key_id: number }
    response: { success: true }
  }
  /** Adds a picture, encoded anew. The same picture again is the file that is there. */
  'POST /project/files/upload': {
    params: Record<string, never>
    query: { project_id: string; name?: string; alt?: string }
    request: Record<string, never>
    response: {
      file: {
        id: number
        name: string
        alt: string
        url: string
        type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
        width: number
        height: number
        bytes: number
        created_on: string
      }
    }
  }
  /** The files of the project, newest first. */
  'POST /project/files/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: number
        name: string
        alt: string
        url: string
        type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
        width: number
        height: number
        bytes: number
        created_on: string
      }>
      next_cursor: string | null
    }
  }
  /** One file, and the first things of the project that show it. */
  'POST /project/files/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; file_id: number }
    response: {
      file: {
        id: number
        name: string
        alt: string
        url: string
        type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
        width: number
        height: number
        bytes: number
        created_on: string
      }
      used_by: Array<{
        /** settings: the logo of the newsletter. */
        type: 'campaign' | 'template' | 'settings' | 'post' | 'page'
        id: number | null
        name: string
        status: 'draft' | 'scheduled' | 'preparing' | 'sending' | 'sent' | 'paused' | 'cancelled' | 'failed' | null
      }>
    }
  }
  /** Changes the name or the alternative text of a file. */
  'POST /project/files/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; file_id: number; name?: string; alt?: string }
    response: {
      file: {
        id: number
        name: string
        alt: string
        url: string
        type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
        width: number
        height: number
        bytes: number
        created_on: string
      }
    }
  }
  /** Deletes a file. One that something of the project shows needs force. */
  'POST /project/files/delete': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; file_id: number; force?: boolean }
    response: { success: true }
  }
  /** Uploads a CSV file in parts, by Content-Range. The last part answers the staged import with its columns. */
  'POST /project/imports/upload': {
    params: Record<string, never>
    query: { project_id: string; import_id?: number; filename?: string }
    request: Record<string, never>
    response: {
      import: Import
      /** Bytes that are stored. */
      received: number
      total: number
    }
  }
  /** As imports/dry-run, for a file of any size: a job reads it. The import is validated when the job is done. */
  'POST /project/imports/examine': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      import_id: number
      /** Fields by the index of their column: email, first_name, last_name, full_name, tags, lists, status, opted_out, bounced, complained, consent_at, consent_text, consent_ip, consent_source or custom.KEY. Columns that are left out are not imported. */
      mapping: Record<string, string>
      options: {
        /** Lists that the people are subscribed to. Needs consent_confirmed or send_confirmation. */
        list_ids?: number[]
        /** Tags that are added to the contacts. */
        tag_ids?: number[]
        /** Whether existing contacts change: their profile by the cells that are not empty, their lists and their tags. */
        update_existing?: boolean
        /** abort: the import cannot be committed while a row is invalid. */
        on_invalid?: 'skip' | 'abort'
        /** drop_value: the person is imported without the wrong value, which is reported. */
        on_invalid_value?: 'fail_row' | 'drop_value'
        /** How days are written: 2026-03-01, 01.03.2026 or 03/01/2026; guessed from the first rows by default. */
        date_format?: 'iso' | 'dmy' | 'mdy'
        /** Whether tags that the project does not have are created. */
        create_tags?: boolean
        /** The status of rows that say none. */
        default_status?: 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'
        /** What the people agreed to, word for word; stored as evidence. */
        consent_text?: string
        /** You confirm that these people agreed: they are also subscribed to double opt-in lists, without another confirmation. */
        consent_confirmed?: boolean
        /** Double opt-in lists ask each person for a confirmation, whatever consent_confirmed says. */
        send_confirmation?: boolean
        /** The separator of cells; detected from the first line by default. */
        delimiter?: ',' | ';' | '	' | '|'
      }
    }
    response: { import: Import; job: Job }
  }
  /** Creates a page. */
  'POST /project/pages/create': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; path: string; title: string; html: string; published?: boolean }
    response: {
      page: {
        id: number
        path: string
        title: string
        published: boolean
        url: string
        created_on: string
        last_update: string
        html: string
      }
    }
  }
  /** The pages of the project, without their text. */
  'POST /project/pages/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      pages: Array<{
        id: number
        path: string
        title: string
        published: boolean
        url: string
        created_on: string
        last_update: string
      }>
    }
  }
  /** One page with its text. */
  'POST /project/pages/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; page_id: number }
    response: {
      page: {
        id: number
        path: string
        title: string
        published: boolean
        url: string
        created_on: string
        last_update: string
        html: string
        updated_by: Editor | null
      }
    }
  }
  /** Changes a page. */
  'POST /project/pages/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      page_id: number
      path?: string
      title?: string
      html?: string
      published?: boolean
      /** The updated_at that was read. When it has changed since, nothing is written and the answer is 409. */
      expected_updated_at?: string
    }
    response: {
      page: {
        id: number
        path: string
        title: string
        published: boolean
        url: string
        created_on: string
        last_update: string
        html: string
      }
    }
  }
  /** Deletes a page. */
  'POST /project/pages/delete': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; page_id: number }
    response: { success: true }
  }
  /** Puts a file at a path of the site, in place of the one that is there. */
  'POST /project/site-files/upload': {
    params: Record<string, never>
    query: { project_id: string; path: string }
    request: Record<string, never>
    response: {
      file: {
        id: number
        path: string
        url: string
        type: string
        bytes: number
        created_on: string
        last_update: string
      }
    }
  }
  /** The files of the site, by path. */
  'POST /project/site-files/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      files: Array<{
        id: number
        path: string
        url: string
        type: string
        bytes: number
        created_on: string
        last_update: string
      }>
    }
  }
  /** Deletes a file of the site. */
  'POST /project/site-files/delete': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; file_id: number }
    response: { success: true }
  }
  /** The HTML in which the site shows its posts. */
  'POST /project/site-templates/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      templates: Array<{
        /** A post, or the list of posts. */
        kind: 'post' | 'index'
        html: string
        is_default: boolean
        last_update: string | null
      }>
    }
  }
  /** Sets the project's own HTML for a post or the list of posts. */
  'POST /project/site-templates/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      /** A post, or the list of posts. */
      kind: 'post' | 'index'
      html: string
    }
    response: {
      template: {
        /** A post, or the list of posts. */
        kind: 'post' | 'index'
        html: string
        is_default: boolean
        last_update: string | null
      }
    }
  }
  /** Shows the newest post or the list of posts in HTML that is not saved. */
  'POST /project/site-templates/preview': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      /** A post, or the list of posts. */
      kind: 'post' | 'index'
      html: string
    }
    response: { html: string }
  }
  /** Goes back to the product's HTML. */
  'POST /project/site-templates/reset': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      /** A post, or the list of posts. */
      kind: 'post' | 'index'
    }
    response: {
      template: {
        /** A post, or the list of posts. */
        kind: 'post' | 'index'
        html: string
        is_default: boolean
        last_update: string | null
      }
    }
  }
  /** Creates a post. */
  'POST /project/cms/posts/create': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      title: string
      /** a-z, 0-9, _ and hyphens */
      slug?: string
      status?: 'draft' | 'published' | 'archived'
      author?: string
      category?: string
      excerpt?: string
      content?: string
    }
    response: {
      post: {
        id: number
        title: string
        slug: string
        status: 'draft' | 'published' | 'archived'
        author: string
        created_on: string
        last_update: string
        category: string
        word_count: number
        excerpt: string
        url: string | null
        content: string
      }
    }
  }
  /** The posts of the project, without their content. */
  'POST /project/cms/posts/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      filters?: {
        status?: 'draft' | 'published' | 'archived'
        category?: string
        author?: string
        /** Case-insensitive search in titles */
        search?: string
      }
      sort?: 'created_on' | 'last_update' | 'title' | 'word_count'
      order?: 'asc' | 'dsc' | 'desc'
      limit?: number
      offset?: number
    }
    response: {
      posts: Array<{
        id: number
        title: string
        slug: string
        status: 'draft' | 'published' | 'archived'
        author: string
        created_on: string
        last_update: string
        category: string
        word_count: number
        excerpt: string
        url: string | null
      }>
    }
  }
  /** One post with its content. */
  'POST /project/cms/posts/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; post_id: number }
    response: {
      post: {
        id: number
        title: string
        slug: string
        status: 'draft' | 'published' | 'archived'
        author: string
        created_on: string
        last_update: string
        category: string
        word_count: number
        excerpt: string
        url: string | null
        content: string
        updated_by: Editor | null
      }
    }
  }
  /** Changes a post. */
  'POST /project/cms/posts/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      post_id: number
      title?: string
      /** a-z, 0-9, _ and hyphens */
      slug?: string
      status?: 'draft' | 'published' | 'archived'
      author?: string
      category?: string
      excerpt?: string
      content?: string
      /** The updated_at that was read. When it has changed since, nothing is written and the answer is 409. */
      expected_updated_at?: string
    }
    response: {
      post: {
        id: number
        title: string
        slug: string
        status: 'draft' | 'published' | 'archived'
        author: string
        created_on: string
        last_update: string
        category: string
        word_count: number
        excerpt: string
        url: string | null
        content: string
      }
    }
  }
  /** Deletes a post. */
  'POST /project/cms/posts/delete': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; post_id: number }
    response: { success: true }
  }
  /** An address that shows a post as it would be, in whatever status, to anyone who has it. */
  'POST /project/cms/posts/preview': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; post_id: number }
    response: { url: string; expires_on: string }
  }
  /** The directories of the project with the numbers of their items, by name. */
  'POST /project/directory/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: { directories: Array<{ directory: string; items: number; last_update: string }> }
  }
  /** Creates a directory item. */
  'POST /project/directory/items/create': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      directory: string
      title: string
      /** a-z, 0-9, _ and hyphens */
      slug?: string
      fields?: Record<string, unknown>
    }
    response: {
      item: {
        id: number
        directory: string
        title: string
        slug: string
        fields: Record<string, unknown>
        created_on: string
        last_update: string
      }
    }
  }
  /** The directory items of the project. */
  'POST /project/directory/items/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; directory?: string; limit?: number; offset?: number }
    response: {
      items: Array<{
        id: number
        directory: string
        title: string
        slug: string
        fields: Record<string, unknown>
        created_on: string
        last_update: string
      }>
    }
  }
  /** One directory item. */
  'POST /project/directory/items/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; item_id: number }
    response: {
      item: {
        id: number
        directory: string
        title: string
        slug: string
        fields: Record<string, unknown>
        created_on: string
        last_update: string
      }
    }
  }
  /** Changes a directory item. */
  'POST /project/directory/items/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      item_id: number
      directory?: string
      title?: string
      /** a-z, 0-9, _ and hyphens */
      slug?: string
      fields?: Record<string, unknown>
    }
    response: {
      item: {
        id: number
        directory: string
        title: string
        slug: string
        fields: Record<string, unknown>
        created_on: string
        last_update: string
      }
    }
  }
  /** Deletes a directory item. */
  'POST /project/directory/items/delete': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; item_id: number }
    response: { success: true }
  }
  /** How the pages ask for consent, and whether forms need a proof of work. */
  'POST /project/site-settings/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      settings: {
        consent_banner: boolean
        consent_message: string
        consent_accept: string
        consent_decline: string
        /** The address, or the path on the site, that the banner links to. Empty for none. */
        consent_privacy_url: string
        /** Further texts of the banner. One that is left out or empty is the product’s. */
        consent_words: {
          choose?: string
          save?: string
          reopen?: string
          privacy?: string
          functional?: string
          functional_purpose?: string
          analytics?: string
          analytics_purpose?: string
          advertising?: string
          advertising_purpose?: string
        }
        /** Signups and form entries need a proof of work. */
        proof_of_work: boolean
      }
      /** What the banner says in the language of the project, where a text is left out or empty. */
      usual_texts: {
        label: string
        question: string
        accept: string
        decline: string
        choose: string
        save: string
        reopen: string
        privacy: string
        functional: string
        functional_purpose: string
        analytics: string
        analytics_purpose: string
        advertising: string
        advertising_purpose: string
      }
    }
  }
  /** Changes how the pages ask for consent, and whether forms need a proof of work. */
  'POST /project/site-settings/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      consent_banner?: boolean
      consent_message?: string
      consent_accept?: string
      consent_decline?: string
      /** The address, or the path on the site, that the banner links to. Empty for none. */
      consent_privacy_url?: string
      /** Further texts of the banner. One that is left out or empty is the product’s. */
      consent_words?: {
        choose?: string
        save?: string
        reopen?: string
        privacy?: string
        functional?: string
        functional_purpose?: string
        analytics?: string
        analytics_purpose?: string
        advertising?: string
        advertising_purpose?: string
      }
      /** Signups and form entries need a proof of work. */
      proof_of_work?: boolean
    }
    response: {
      settings: {
        consent_banner: boolean
        consent_message: string
        consent_accept: string
        consent_decline: string
        /** The address, or the path on the site, that the banner links to. Empty for none. */
        consent_privacy_url: string
        /** Further texts of the banner. One that is left out or empty is the product’s. */
        consent_words: {
          choose?: string
          save?: string
          reopen?: string
          privacy?: string
          functional?: string
          functional_purpose?: string
          analytics?: string
          analytics_purpose?: string
          advertising?: string
          advertising_purpose?: string
        }
        /** Signups and form entries need a proof of work. */
        proof_of_work: boolean
      }
    }
  }
  /** Shows the consent banner, and the button that opens it again, with settings that are not saved. */
  'POST /project/site-settings/preview': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      consent_banner?: boolean
      consent_message?: string
      consent_accept?: string
      consent_decline?: string
      /** The address, or the path on the site, that the banner links to. Empty for none. */
      consent_privacy_url?: string
      /** Further texts of the banner. One that is left out or empty is the product’s. */
      consent_words?: {
        choose?: string
        save?: string
        reopen?: string
        privacy?: string
        functional?: string
        functional_purpose?: string
        analytics?: string
        analytics_purpose?: string
        advertising?: string
        advertising_purpose?: string
      }
      /** Signups and form entries need a proof of work. */
      proof_of_work?: boolean
    }
    response: { html: string }
  }
  /** What the forms of the site sent, newest first. */
  'POST /project/form-entries/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      form?: string
      limit?: number
      /** The previous answer's next_cursor. */
      cursor?: string
    }
    response: {
      items: Array<{
        id: number
        form: string
        /** By field name: a string, a number, a boolean or an array of strings. */
        fields: Record<string, string | number | boolean | string[]>
        created_on: string
      }>
      next_cursor: string | null
    }
  }
  /** The names of the forms with the numbers of their entries, the one with the newest entry first. */
  'POST /project/form-entries/forms': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: { forms: Array<{ form: string; entries: number; last_on: string }> }
  }
  /** Deletes entries, or those of a form: at most 5000 in one request, the oldest first. */
  'POST /project/form-entries/delete': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; entry_ids?: number[]; form?: string }
    response: { success: true; deleted: number; left: number }
  }
  /** Who gets the entries of which form by mail, and how long they stay. */
  'POST /project/form-settings/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      settings: Array<{
        form: string | null
        /** Ids of the members who get entries by mail. */
        notify: string[]
        keep_days: number | null
        last_update: string
      }>
    }
  }
  /** Sets who gets the entries of a form by mail, and how long they stay. */
  'POST /project/form-settings/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      form: string | null
      /** Ids of the members who get entries by mail. */
      notify: string[]
      keep_days: number | null
    }
    response: {
      settings: {
        form: string | null
        /** Ids of the members who get entries by mail. */
        notify: string[]
        keep_days: number | null
        last_update: string
      }
    }
  }
  /** Leaves a form to the settings of every other form. */
  'POST /project/form-settings/reset': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; form: string | null }
    response: { success: true }
  }
  /** How many entries would be deleted if they stayed for so many days. */
  'POST /project/form-settings/expired': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      form: string | null
      /** Days that entries stay. */
      keep_days: number
    }
    response: { entries: number }
  }
  /** Cancels a change of many contacts between two of its steps. What is done stays. */
  'POST /project/jobs/cancel': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; job_id: number }
    response: { job: Job }
  }
  /** The forms on which people join lists, oldest first. */
  'POST /project/sign-up-forms/list': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: { forms: SignUpForm[] }
  }
  /** Creates a form with its page. */
  'POST /project/sign-up-forms/create': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      name: string
      title: string
      /** Above the form. */
      text?: string
      /** What people agree to */
      consent_text: string
      list_ids: number[]
      fields?: Array<{
        /** first_name, last_name or custom.KEY. */
        field: string
        /** The usual word when left out. */
        label?: string
        required?: boolean
      }>
      /** The usual word when empty. */
      button?: string
      /** After signing up; the usual text when empty. */
      thanks_text?: string
      /** Where people go after signing up; empty for a page of this service. */
      redirect_url?: string
    }
    response: { form: SignUpForm }
  }
  /** Changes a form. Earlier wordings stay known, because pasted copies of the form show them. */
  'POST /project/sign-up-forms/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      form_id: string
      name?: string
      title?: string
      /** Above the form. */
      text?: string
      /** What people agree to */
      consent_text?: string
      list_ids?: number[]
      fields?: Array<{
        /** first_name, last_name or custom.KEY. */
        field: string
        /** The usual word when left out. */
        label?: string
        required?: boolean
      }>
      /** The usual word when empty. */
      button?: string
      /** After signing up; the usual text when empty. */
      thanks_text?: string
      /** Where people go after signing up; empty for a page of this service. */
      redirect_url?: string
    }
    response: { form: SignUpForm }
  }
  /** Deletes a form. Its page and pasted copies of it sign nobody up any more; the evidence stays. */
  'POST /project/sign-up-forms/delete': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; form_id: string }
    response: { success: true }
  }
  /** The lists whose sent letters are public, and where these are. */
  'POST /project/letters/settings/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string }
    response: {
      /** Their sent letters are public. */
      list_ids: number[]
      /** Where the letters are. */
      url: string
    }
  }
  /** Chooses all lists whose sent letters are public. Those of the others are not, from the next request. */
  'POST /project/letters/settings/update': {
    params: Record<string, never>
    query: Record<string, never>
    request: {
      project_id: string
      /** Their sent letters are public. */
      list_ids: number[]
    }
    response: {
      /** Their sent letters are public. */
      list_ids: number[]
      /** Where the letters are. */
      url: string
    }
  }
  /** How well messages arrive: by mailbox provider and day, with what waits, is blocked or needs a look. */
  'POST /project/deliverability/get': {
    params: Record<string, never>
    query: Record<string, never>
    request: { project_id: string; days?: number }
    response: { deliverability: Deliverability }
  }
}

export type AudienceSpec = {
  include: Array<{ type: 'all' } | { type: 'list' | 'tag' | 'segment'; id: number }>
  exclude?: Array<{ type: 'all' } | { type: 'list' | 'tag' | 'segment'; id: number }>
}

export type Campaign = {
  id: number
  name: string
  subject: string
  preheader: string
  audience_spec: AudienceSpec
  template_id: number | string | null
  connection_id: number | null
  /** The settings apply where it is empty, as for from_email and reply_to. */
  from_name: string
  from_email: string
  reply_to: string
  track_opens: boolean
  track_clicks: boolean
  utm_source: string
  utm_medium: string
  utm_campaign: string
  status: 'draft' | 'scheduled' | 'preparing' | 'sending' | 'sent' | 'paused' | 'cancelled' | 'failed'
  scheduled_at: string | null
  timezone: string | null
  started_at: string | null
  finished_at: string | null
  failure: {
    reason: string
    /** The failed checks of a scheduled campaign. */
    checks?: ReadinessCheck[]
  } | null
  created_at: string
  updated_at: string
  editor_json: EmailDocument
}

export type CampaignCounts = {
  /** sent + failed + skipped + queued + uncertain + cancelled. */
  recipients: number
  /** Accepted by the relay, including those that bounced later. */
  sent: number
  /** Refused, or given up after all retries. */
  failed: number
  /** Unsubscribed, suppressed or changed their address before their message was handed over. */
  skipped: number
  /** Waiting or being handed over. */
  queued: number
  /** Handed over without an answer: the message may or may not have arrived. */
  uncertain: number
  cancelled: number
  /** Opens by people. Known prefetchers count as machine_opens. */
  opens: number
  /** Recipients who opened. */
  unique_opens: number
  clicks: number
  /** Recipients who clicked. */
  unique_clicks: number
  /** Opens by known prefetchers. */
  machine_opens: number
  /** Clicks by known prefetchers. */
  machine_clicks: number
  /** Recipients who unsubscribed. */
  unsubscribes: number
  bounces: { hard: number; soft: number }
  /** Recipients who complained. */
  complaints: number
}

export type CampaignSummary = {
  id: number
  name: string
  subject: string
  preheader: string
  audience_spec: AudienceSpec
  template_id: number | string | null
  connection_id: number | null
  /** The settings apply where it is empty, as for from_email and reply_to. */
  from_name: string
  from_email: string
  reply_to: string
  track_opens: boolean
  track_clicks: boolean
  utm_source: string
  utm_medium: string
  utm_campaign: string
  status: 'draft' | 'scheduled' | 'preparing' | 'sending' | 'sent' | 'paused' | 'cancelled' | 'failed'
  scheduled_at: string | null
  timezone: string | null
  started_at: string | null
  finished_at: string | null
  failure: {
    reason: string
    /** The failed checks of a scheduled campaign. */
    checks?: ReadinessCheck[]
  } | null
  created_at: string
  updated_at: string
}

export type Connection = {
  id: number
  name: string
  provider: 'smtp' | 'ses' | 'sendgrid' | 'mailgun' | 'postmark' | 'resend' | 'brevo' | 'sandbox'
  host: string
  /** 0 for the sandbox. */
  port: number
  secure: 'none' | 'starttls' | 'tls'
  username: string
  password_set: boolean
  from_domain: string
  max_per_second: number | null
  max_per_day: number | null
  max_connections: number
  mailbox_limits: Record<string, number> | null
  /** For Postmark: the broadcast stream of campaigns; all other messages take the default stream. */
  message_stream: string
  warm_up: boolean
  bounce_domain: string
  webhook_secret_set: boolean
  webhook_topic: string | null
  /** The selector that verify-dns was last given. */
  dkim_selector: string
  dns: {
    domain: string
    checked_at: string
    checks: Array<{
      name: 'spf' | 'dkim' | 'dmarc'
      ok: boolean
      found: string | null
      expected: string
      record: { type: 'TXT' | 'CNAME'; name: string; value: string } | null
      /** What to do, or why the check passes. */
      hint: string
    }>
  } | null
  /** The service's own keys of the sender's domain, newest first; only for smtp: other providers sign. */
  dkim_keys: Array<{
    id: number
    algorithm: 'rsa-sha256' | 'ed25519-sha256'
    selector: string
    /** Where its TXT record belongs. */
    name: string
    /** The text of that record. */
    value: string
    /** Messages are signed with this key now. */
    signs: boolean
    verified_at: string | null
    created_at: string
  }>
  verified_at: string | null
  last_error: string | null
  created_at: string
  updated_at: string
}

export type Contact = {
  id: number
  email: string
  first_name: string
  last_name: string
  full_name: string
  global_status: 'pending' | 'subscribed' | 'unsubscribed' | 'bounced' | 'complained'
  custom_fields: Record<string, string | number | boolean>
  lists: Array<{
    list_id: number
    status: 'pending' | 'subscribed' | 'unsubscribed'
    subscribed_at: string | null
    unsubscribed_at: string | null
  }>
  tag_ids: number[]
  consent_text: string
  consent_source: string
  consent_at: string | null
  created_at: string
  updated_at: string
}

export type CustomField = {
  id: number
  key: string
  label: string
  type: 'text' | 'number' | 'boolean' | 'date' | 'select'
  options: string[] | null
  created_at: string
  updated_at: string
}

export type Deliverability = {
  days: number
  /** Shares of the messages: worth a look, and the one at which a campaign pauses by itself. */
  thresholds: { bounced: { watch: number; act: number }; complained: { watch: number; act: number } }
  total: {
    /** Handed over: taken by the relay, or refused because the address does not exist. */
    sent: number
    /** Addresses that do not exist. */
    bounced: number
    soft_bounced: number
    complained: number
    unsubscribed: number
    /** Messages that a person opened. */
    opened: number
  }
  /** By the domain of the address, most messages first; days without an event are left out. */
  providers: Array<{
    provider: 'gmail' | 'outlook' | 'yahoo' | 'icloud' | 'gmx' | 'proton' | 'other'
    /** Handed over: taken by the relay, or refused because the address does not exist. */
    sent: number
    /** Addresses that do not exist. */
    bounced: number
    soft_bounced: number
    complained: number
    unsubscribed: number
    /** Messages that a person opened. */
    opened: number
    by_day: Array<{
      date: string
      /** Handed over: taken by the relay, or refused because the address does not exist. */
      sent: number
      /** Addresses that do not exist. */
      bounced: number
      soft_bounced: number
      complained: number
      unsubscribed: number
      /** Messages that a person opened. */
      opened: number
    }>
  }>
  /** Messages that wait: for a limit of the connection, or because their server refused them for now. */
  held_back: Array<{
    provider: 'gmail' | 'outlook' | 'yahoo' | 'icloud' | 'gmx' | 'proton' | 'other'
    messages: number
    reason: 'limit' | 'refused_for_now'
    until: string
    error: string | null
  }>
  suppressions: Array<{ reason: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'; addresses: number }>
  /** Begun in these days, with at least 50 messages and a share above a threshold. */
  campaigns: Array<{
    id: number
    name: string
    started_at: string | null
    sent: number
    bounced: number
    complained: number
    level: 'watch' | 'act'
  }>
}

export type Editor = { kind: 'user' | 'api_key' | 'app'; id: string; name: string }

export type EmailDocument = {
  version: 1
  settings: {
    /** #rgb or #rrggbb */
    background_color?: string
    /** Pixels. */
    content_width?: number
    /** Font names separated by commas. */
    font_family?: string
    /** #rgb or #rrggbb */
    text_color?: string
    /** #rgb or #rrggbb */
    link_color?: string
    /** Shown after the subject in the inbox. */
    preheader?: string
  }
  blocks: Array<{
    /** Unique in the document. */
    id: string
    type: 'text'
    props: {
      html: string
      align?: 'start' | 'center' | 'left' | 'right'
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'html'
    props: {
      html: string
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'heading'
    props: {
      text: string
      level: number
      align?: 'start' | 'center' | 'left' | 'right'
      /** Pixels; depends on the level when left out. Large headings are smaller on phones. */
      size?: number
      /** #rgb, #rrggbb or "brand" for the project's own color */
      color?: string
      /** Font names separated by commas. */
      font_family?: string
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'image'
    props: {
      /** A URL that begins with http://, https:// or a merge tag */
      src: string
      alt: string
      width?: number
      /** A URL that begins with http://, https://, mailto:, tel: or a merge tag */
      href?: string
      align?: 'start' | 'center' | 'left' | 'right'
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'button'
    props: {
      text: string
      /** A URL that begins with http://, https://, mailto:, tel: or a merge tag */
      href: string
      /** #rgb or #rrggbb */
      background_color?: string
      /** #rgb or #rrggbb */
      text_color?: string
      align?: 'start' | 'center' | 'left' | 'right'
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'divider'
    props: {
      /** #rgb or #rrggbb */
      color?: string
      /** Pixels. */
      thickness?: number
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'spacer'
    props: {
      height: number
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'social'
    props: {
      links: Array<{
        network: 'website' | 'email' | 'rss' | 'bluesky' | 'discord' | 'facebook' | 'github' | 'instagram' | 'linkedin' | 'mastodon' | 'medium' | 'pinterest' | 'podcast' | 'reddit' | 'signal' | 'snapchat' | 'spotify' | 'substack' | 'telegram' | 'threads' | 'tiktok' | 'twitch' | 'vimeo' | 'whatsapp' | 'x' | 'youtube'
        /** A URL that begins with http://, https://, mailto:, tel: or a merge tag */
        href: string
        /** Replaces the network's name. */
        label?: string
      }>
      align?: 'start' | 'center' | 'left' | 'right'
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'cms_posts'
    props: {
      count?: number
      /** Only posts of this category. */
      category?: string
      /** The URL of a post: http or https, with {slug} in it. When left out, the hosted page whose path ends with the slug, or else the post on the site. */
      link?: string
      /** `list`: title, date, excerpt and a link; `titles`: title and date. */
      layout?: 'list' | 'titles'
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'columns'
    props: {
      columns: Array<{
        blocks: Array<{
          /** Unique in the document. */
          id: string
          type: 'text'
          props: {
            html: string
            align?: 'start' | 'center' | 'left' | 'right'
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        } | {
          /** Unique in the document. */
          id: string
          type: 'html'
          props: {
            html: string
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        } | {
          /** Unique in the document. */
          id: string
          type: 'heading'
          props: {
            text: string
            level: number
            align?: 'start' | 'center' | 'left' | 'right'
            /** Pixels; depends on the level when left out. Large headings are smaller on phones. */
            size?: number
            /** #rgb, #rrggbb or "brand" for the project's own color */
            color?: string
            /** Font names separated by commas. */
            font_family?: string
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        } | {
          /** Unique in the document. */
          id: string
          type: 'image'
          props: {
            /** A URL that begins with http://, https:// or a merge tag */
            src: string
            alt: string
            width?: number
            /** A URL that begins with http://, https://, mailto:, tel: or a merge tag */
            href?: string
            align?: 'start' | 'center' | 'left' | 'right'
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        } | {
          /** Unique in the document. */
          id: string
          type: 'button'
          props: {
            text: string
            /** A URL that begins with http://, https://, mailto:, tel: or a merge tag */
            href: string
            /** #rgb or #rrggbb */
            background_color?: string
            /** #rgb or #rrggbb */
            text_color?: string
            align?: 'start' | 'center' | 'left' | 'right'
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        } | {
          /** Unique in the document. */
          id: string
          type: 'divider'
          props: {
            /** #rgb or #rrggbb */
            color?: string
            /** Pixels. */
            thickness?: number
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        } | {
          /** Unique in the document. */
          id: string
          type: 'spacer'
          props: {
            height: number
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        } | {
          /** Unique in the document. */
          id: string
          type: 'social'
          props: {
            links: Array<{
              network: 'website' | 'email' | 'rss' | 'bluesky' | 'discord' | 'facebook' | 'github' | 'instagram' | 'linkedin' | 'mastodon' | 'medium' | 'pinterest' | 'podcast' | 'reddit' | 'signal' | 'snapchat' | 'spotify' | 'substack' | 'telegram' | 'threads' | 'tiktok' | 'twitch' | 'vimeo' | 'whatsapp' | 'x' | 'youtube'
              /** A URL that begins with http://, https://, mailto:, tel: or a merge tag */
              href: string
              /** Replaces the network's name. */
              label?: string
            }>
            align?: 'start' | 'center' | 'left' | 'right'
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        } | {
          /** Unique in the document. */
          id: string
          type: 'cms_posts'
          props: {
            count?: number
            /** Only posts of this category. */
            category?: string
            /** The URL of a post: http or https, with {slug} in it. When left out, the hosted page whose path ends with the slug, or else the post on the site. */
            link?: string
            /** `list`: title, date, excerpt and a link; `titles`: title and date. */
            layout?: 'list' | 'titles'
            /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
            section_color?: string
          }
        }>
        /** Share of the width in proportion to the other columns; 1 when left out. */
        share?: number
      }>
      valign?: 'top' | 'middle' | 'bottom'
      /** Whether the columns are stacked on phones. */
      stack?: boolean
      /** A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project's own color */
      section_color?: string
    }
  } | {
    /** Unique in the document. */
    id: string
    type: 'footer'
    props: {
      text?: string
      align?: 'start' | 'center' | 'left' | 'right'
      /** Adds a link that opens the message in the browser. */
      view_link?: boolean
    }
  }>
}

export type Import = {
  id: number
  filename: string
  status: 'staged' | 'validated' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled'
  size_bytes: number
  delimiter: ',' | ';' | '	' | '|'
  mapping: Record<string, string> | null
  options: {
    /** Lists that the people are subscribed to. Needs consent_confirmed or send_confirmation. */
    list_ids?: number[]
    /** Tags that are added to the contacts. */
    tag_ids?: number[]
    /** Whether existing contacts change: their profile by the cells that are not empty, their lists and their tags. */
    update_existing?: boolean
    /** abort: the import cannot be committed while a row is invalid. */
    on_invalid?: 'skip' | 'abort'
    /** drop_value: the person is imported without the wrong value, which is reported. */
    on_invalid_value?: 'fail_row' | 'drop_value'
    /** How days are written: 2026-03-01, 01.03.2026 or 03/01/2026; guessed from the first rows by default. */
    date_format?: 'iso' | 'dmy' | 'mdy'
    /** Whether tags that the project does not have are created. */
    create_tags?: boolean
    /** The status of rows that say none. */
    default_status?: 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'
    /** What the people agreed to, word for word; stored as evidence. */
    consent_text?: string
    /** You confirm that these people agreed: they are also subscribed to double opt-in lists, without another confirmation. */
    consent_confirmed?: boolean
    /** Double opt-in lists ask each person for a confirmation, whatever consent_confirmed says. */
    send_confirmation?: boolean
    /** The separator of cells; detected from the first line by default. */
    delimiter?: ',' | ';' | '	' | '|'
  } | null
  summary: {
    rows: number
    valid: number
    invalid: number
    new: number
    existing: number
    suppressed: number
    duplicates_in_file: number
  } | null
  findings: { opted_out: number; dropped_values: number; new_tags: number } | null
  counters: { processed: number; created: number; updated: number; skipped: number; failed: number }
  error: string | null
  job_id: number | null
  created_at: string
  updated_at: string
  finished_at: string | null
  columns: Array<{
    index: number
    /** Empty where the file has no header. */
    header: string
    samples: string[]
    suggested_field: string | null
  }>
  /** The first 100. */
  row_errors: Array<{
    /** The number of the record, the header counted as 1, as spreadsheets do. */
    row: number
    field: string | null
    code: 'email_missing' | 'email_invalid' | 'value_invalid' | 'value_dropped' | 'too_many_cells' | 'malformed' | 'too_long' | 'plan_limit'
    message: string
    value: string | null
  }>
}

export type ImportSummary = {
  id: number
  filename: string
  status: 'staged' | 'validated' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled'
  size_bytes: number
  delimiter: ',' | ';' | '	' | '|'
  mapping: Record<string, string> | null
  options: {
    /** Lists that the people are subscribed to. Needs consent_confirmed or send_confirmation. */
    list_ids?: number[]
    /** Tags that are added to the contacts. */
    tag_ids?: number[]
    /** Whether existing contacts change: their profile by the cells that are not empty, their lists and their tags. */
    update_existing?: boolean
    /** abort: the import cannot be committed while a row is invalid. */
    on_invalid?: 'skip' | 'abort'
    /** drop_value: the person is imported without the wrong value, which is reported. */
    on_invalid_value?: 'fail_row' | 'drop_value'
    /** How days are written: 2026-03-01, 01.03.2026 or 03/01/2026; guessed from the first rows by default. */
    date_format?: 'iso' | 'dmy' | 'mdy'
    /** Whether tags that the project does not have are created. */
    create_tags?: boolean
    /** The status of rows that say none. */
    default_status?: 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'
    /** What the people agreed to, word for word; stored as evidence. */
    consent_text?: string
    /** You confirm that these people agreed: they are also subscribed to double opt-in lists, without another confirmation. */
    consent_confirmed?: boolean
    /** Double opt-in lists ask each person for a confirmation, whatever consent_confirmed says. */
    send_confirmation?: boolean
    /** The separator of cells; detected from the first line by default. */
    delimiter?: ',' | ';' | '	' | '|'
  } | null
  summary: {
    rows: number
    valid: number
    invalid: number
    new: number
    existing: number
    suppressed: number
    duplicates_in_file: number
  } | null
  findings: { opted_out: number; dropped_values: number; new_tags: number } | null
  counters: { processed: number; created: number; updated: number; skipped: number; failed: number }
  error: string | null
  job_id: number | null
  created_at: string
  updated_at: string
  finished_at: string | null
}

export type Job = {
  id: number
  kind: 'bulk' | 'import' | 'segment_materialize' | 'campaign_prepare' | 'import_examine'
  action: 'add_to_list' | 'remove_from_list' | 'add_tags' | 'remove_tags' | 'unsubscribe' | 'delete' | null
  about: { type: 'campaign' | 'import' | 'segment' | 'list' | 'tag'; id: number; name: string | null } | null
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  processed: number
  total: number | null
  error: string | null
  attempts: number
  created_at: string
  updated_at: string
}

export type List = {
  id: number
  name: string
  description: string
  double_opt_in: boolean
  public: boolean
  archived: boolean
  created_at: string
  updated_at: string
}

export type ReadinessCheck = {
  code: 'subject' | 'content' | 'sender' | 'connection_verified' | 'postal_address' | 'unsubscribe_link' | 'audience' | 'plan_limit' | 'provider_limit' | 'spf' | 'dkim' | 'dmarc' | 'size' | 'text_ratio' | 'links'
  ok: boolean
  severity: 'error' | 'warning'
  message: string
  /** The check was not made; ok is true. */
  skipped?: true
}

export type Rule = {
  /** A field of schema/get, or custom.KEY. */
  field: string
  /** An operator of the field. Engagement conditions need none. */
  operator?: 'eq' | 'neq' | 'contains' | 'not_contains' | 'starts_with' | 'ends_with' | 'in' | 'not_in' | 'is_set' | 'is_not_set' | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'in_last_days' | 'not_in_last_days'
  /** Depends on field and operator: a text, number, boolean, date or id, an array of them, or an object for engagement conditions. */
  value?: unknown
  /** For field list only; subscribed when left out. */
  status?: 'pending' | 'subscribed' | 'unsubscribed'
}

export type RuleGroup = { op: 'and' | 'or' | 'not'; rules: Array<Rule | RuleGroupOf3> }

export type RuleGroupOf1 = { op: 'and' | 'or' | 'not'; rules: Rule[] }

export type RuleGroupOf2 = { op: 'and' | 'or' | 'not'; rules: Array<Rule | RuleGroupOf1> }

export type RuleGroupOf3 = { op: 'and' | 'or' | 'not'; rules: Array<Rule | RuleGroupOf2> }

export type Segment = { id: number; name: string; rules: RuleGroup; created_at: string; updated_at: string }

export type Settings = {
  from_name: string
  /** An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none */
  from_email: '' | string
  /** An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none */
  reply_to: '' | string
  company_name: string
  postal_address: string
  default_connection_id: number | null
  /** A name of the IANA time zone database */
  timezone: string
  /** A BCP 47 language tag */
  locale: string
  footer_text: string
  track_opens: boolean
  track_clicks: boolean
  /** Empty: the service's default text. */
  confirmation_subject: string
  confirmation_text: string
  /** An address whose messages reach the mime webhook, for List-Unsubscribe; empty for none. */
  unsubscribe_mailto: '' | string
  /** No confirmation leaves. A restore without facts sets it; false releases them. */
  confirmations_held: boolean
  /** #rgb or #rrggbb, or an empty text for none */
  brand_color: '' | string
  /** An http or https address, or an empty text for none */
  logo_url: '' | string
}

export type SignUpForm = {
  id: string
  name: string
  title: string
  text: string
  /** The newest wording. */
  consent_text: string
  /** The number of that wording. */
  version: number
  list_ids: number[]
  fields: Array<{ field: string; label: string; required: boolean }>
  button: string
  thanks_text: string
  redirect_url: string
  /** The form's own page. */
  url: string
  /** The form for any page, to be pasted again after a change. */
  embed_html: string
  created_on: string
  last_update: string
}

export type Tag = { id: number; name: string; color: string; created_at: string; updated_at: string }

export type Template = {
  id: number | string
  name: string
  subject: string
  editor_json: EmailDocument
  created_at: string | null
  updated_at: string | null
}

export type TemplateSummary = { id: number; name: string; subject: string; created_at: string; updated_at: string }
