import type { Translations } from './translations.ts'

export const ja: Translations = {
  lang: 'ja',
  not_found: [
    'このリンクは無効です',
    'リンクが途中で切れているか、変更されています。お手数ですが、メールからもう一度開いてください。',
  ],
  gone: [
    'このリンクはご利用いただけなくなりました',
    'メールアドレスの登録はすでに削除されています。お手続きは必要ありません。',
  ],
  failed: ['エラーが発生しました', 'しばらくしてから、もう一度お試しください。'],
  test_message: ['これはテストメールでした', 'メール内のリンクを開いても、設定は変わりません。'],
  confirm: {
    title: '購読登録の確認',
    text: (names, address) => `確認が完了すると、${names}のメールが ${address} に届くようになります。`,
    button: '購読登録を確認する',
    hint: 'お心当たりがない場合は、このままページを閉じてください。確認されないかぎり、メールが配信されることはありません。',
  },
  confirmed: ['購読登録が完了しました', (names) => `ありがとうございます。今後、${names}のメールをお届けします。`],
  nothing_to_confirm: ['確認が必要なものはありません', '購読登録はすでに確認済みか、その後に配信が停止されています。'],
  unsubscribe: {
    title: '配信停止',
    text: (address) => `${address} への配信を停止するメールをお選びください。`,
    lists: (names) => `${names}の配信を停止する`,
    everything: 'すべての配信を停止する',
    preferences: '配信を希望するリストを選ぶ',
  },
  unsubscribed: ['配信を停止しました', (address) => `今後、${address} にメールが配信されることはありません。`],
  unsubscribed_lists: ['配信を停止しました', (names) => `今後、${names}のメールは届きません。`],
  preferences: {
    title: '配信設定',
    text: (address) => `${address} に届くメールをお選びください。`,
    legend: 'リスト',
    pending: '確認待ちです。チェックを入れると、今すぐ確認できます。',
    none: '選択できるリストはありません。',
    save: '保存する',
    unsubscribe_all: 'すべての配信を停止する',
    saved: '設定を保存しました。',
    blocked:
      'このメールアドレスへの配信はブロックされているため、リストに登録できませんでした。送信者にお問い合わせください。',
    unsubscribed: 'すべての配信が停止されています。配信を再開するには、リストにチェックを入れて保存してください。',
  },
  forms: {
    sent: ['ありがとうございます', 'メッセージを送信しました。'],
    signed_up: ['ありがとうございます', '確認が必要な場合は、確認メールをお送りしています。受信トレイをご覧ください。'],
    refused: [
      '送信できませんでした',
      '未入力の項目があるか、入力内容に誤りがあります。前のページに戻ってご確認ください。',
    ],
    too_many: ['しばらくお待ちください', '送信回数が上限を超えました。1分ほどしてから、もう一度お試しください。'],
    failed: ['エラーが発生しました', 'しばらくしてから、もう一度お試しください。'],
  },
  confirmation: {
    subject: (project) => `${project}の購読登録をご確認ください`,
    request: (project) =>
      `${project}からのメール配信のお申し込みを受け付けました。このメールアドレスがご本人のものであることをご確認ください。`,
    button: '購読登録を確認する',
    closing: 'お心当たりがない場合、お手続きは必要ありません。確認されないかぎり、メールが配信されることはありません。',
  },
  sign_up: { button: '購読する' },
  own_link: {
    title: '購読の管理',
    text: 'このメールが届くアドレスを入力してください。専用のリンクをお送りします。',
    email: 'メールアドレス',
    button: 'リンクを送る',
    sent: 'このアドレスに配信している場合は、リンクをお送りしました。',
    subject: (project) => `${project} のリンク`,
    request: (project) =>
      `${project} の購読を管理するリンクのご依頼を受け付けました。リンク先のページでリストの選択や配信停止ができます。`,
    closing: 'お心当たりがない場合は、何もする必要はありません。設定は変わっていません。',
  },
  letters: {
    title: '送信済みのお便り',
    older: '以前のもの',
    newer: '新しいもの',
    none: 'まだ何も送信されていません。',
  },
  email: { unsubscribe: '配信停止', preferences: '配信設定', view: 'ブラウザで表示', read_more: '続きを読む' },
  consent: {
    label: '同意',
    question: 'このサイトで、必須ではないサービスを使用してもよろしいですか?',
    accept: '同意する',
    decline: '同意しない',
    choose: '選択する',
    save: '選択を保存',
    reopen: 'プライバシーの設定',
    privacy: 'プライバシー',
    functional: '機能',
    functional_purpose: 'チャット、地図、動画などの追加機能です。',
    analytics: '分析',
    analytics_purpose: 'サイトの改善のために訪問数を数えます。',
    advertising: '広告',
    advertising_purpose: '広告を表示し、その効果を測ります。',
  },
  form_notice: {
    entries: (count) => `フォームの新しい回答: ${count}件`,
    more: (count) => `ほかの回答: ${count}件`,
    button: 'Mastheadで読む',
    closing: (project) =>
      `プロジェクト「${project}」がフォームの受信内容をお知らせしているため、このメールをお送りしています。`,
  },
}
