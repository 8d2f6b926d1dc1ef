import type { Language } from '../platform/common/languages';

/** The words of a page in another language, as far as there are; those of options by their value. */
export interface PageTranslation {
  title?: string;
  body?: string;
  options?: Record<string, string>;
}

type Words<Page> = Record<Language, Page>;

/**
 * The service's own words in the graph of a simple flow, by the key of the node. Records word the answers of earlier sessions by them,
 * too. The console uses this file.
 */
export const SIMPLE_WORDS = {
  start: {
    en: {
      title: 'Before you go',
      body: 'Tell us why you are leaving {{product_name}}. It takes a minute.',
    },
    de: {
      title: 'Bevor Sie gehen',
      body: 'Sagen Sie uns, warum Sie {{product_name}} verlassen. Es dauert eine Minute.',
    },
    fr: {
      title: 'Avant de partir',
      body: 'Dites-nous pourquoi vous quittez {{product_name}}. Cela prend une minute.',
    },
    es: { title: 'Antes de irse', body: 'Díganos por qué deja {{product_name}}. Solo lleva un minuto.' },
    pt: { title: 'Antes de sair', body: 'Diga-nos o motivo da sua saída de {{product_name}}. Leva um minuto.' },
    it: { title: 'Prima di andare', body: 'Ci dica perché lascia {{product_name}}. Basta un minuto.' },
    nl: { title: 'Voordat u gaat', body: 'Vertel ons waarom u stopt met {{product_name}}. Het duurt een minuut.' },
    pl: { title: 'Zanim odejdziesz', body: 'Powiedz nam, dlaczego rezygnujesz z {{product_name}}. To zajmie minutę.' },
    sv: { title: 'Innan du går', body: 'Berätta varför du lämnar {{product_name}}. Det tar en minut.' },
    ja: {
      title: 'お手続きの前に',
      body: '{{product_name}}をやめる理由をお聞かせください。1分ほどで終わります。',
    },
    'zh-Hans': { title: '离开之前', body: '请告诉我们您为何离开{{product_name}}。只需一分钟。' },
    he: { title: 'לפני שנפרדים', body: 'נשמח לדעת למה החלטת לעזוב את {{product_name}}. זה ייקח דקה.' },
  } satisfies Words<{ title: string; body: string }>,

  reason: {
    en: {
      title: 'Why are you leaving?',
      options: {
        too_expensive: 'Too expensive',
        missing_features: 'It lacks something I need',
        not_using: 'I do not use it enough',
        switching: 'I am switching to something else',
        technical_issues: 'It does not work well for me',
        other: 'Something else',
      },
    },
    de: {
      title: 'Warum möchten Sie kündigen?',
      options: {
        too_expensive: 'Zu teuer',
        missing_features: 'Mir fehlt etwas, das ich brauche',
        not_using: 'Ich nutze es zu wenig',
        switching: 'Ich wechsle zu etwas anderem',
        technical_issues: 'Es funktioniert bei mir nicht gut',
        other: 'Etwas anderes',
      },
    },
    fr: {
      title: 'Pourquoi partez-vous\u00a0?',
      options: {
        too_expensive: 'Trop cher',
        missing_features: 'Il manque quelque chose dont j’ai besoin',
        not_using: 'Je ne l’utilise pas assez',
        switching: 'Je passe à une autre solution',
        technical_issues: 'Cela ne fonctionne pas bien chez moi',
        other: 'Autre chose',
      },
    },
    es: {
      title: '¿Por qué se va?',
      options: {
        too_expensive: 'Demasiado caro',
        missing_features: 'Le falta algo que necesito',
        not_using: 'No lo uso lo suficiente',
        switching: 'Me cambio a otra opción',
        technical_issues: 'No me funciona bien',
        other: 'Otro motivo',
      },
    },
    pt: {
      title: 'Qual é o motivo da sua saída?',
      options: {
        too_expensive: 'É muito caro',
        missing_features: 'Falta algo de que preciso',
        not_using: 'Não uso o suficiente',
        switching: 'Vou mudar para outra opção',
        technical_issues: 'Não funciona bem para mim',
        other: 'Outro motivo',
      },
    },
    it: {
      title: 'Perché vuole disdire?',
      options: {
        too_expensive: 'Troppo caro',
        missing_features: 'Manca qualcosa di cui ho bisogno',
        not_using: 'Non lo uso abbastanza',
        switching: 'Passo a un’altra soluzione',
        technical_issues: 'Non funziona bene per me',
        other: 'Un altro motivo',
      },
    },
    nl: {
      title: 'Waarom wilt u opzeggen?',
      options: {
        too_expensive: 'Te duur',
        missing_features: 'Er ontbreekt iets dat ik nodig heb',
        not_using: 'Ik gebruik het te weinig',
        switching: 'Ik stap over op iets anders',
        technical_issues: 'Het werkt bij mij niet goed',
        other: 'Iets anders',
      },
    },
    pl: {
      title: 'Dlaczego rezygnujesz?',
      options: {
        too_expensive: 'Za drogo',
        missing_features: 'Brakuje mi czegoś, czego potrzebuję',
        not_using: 'Zbyt rzadko z tego korzystam',
        switching: 'Przechodzę na coś innego',
        technical_issues: 'Nie działa u mnie dobrze',
        other: 'Inny powód',
      },
    },
    sv: {
      title: 'Varför vill du sluta?',
      options: {
        too_expensive: 'För dyrt',
        missing_features: 'Något jag behöver saknas',
        not_using: 'Jag använder det för lite',
        switching: 'Jag byter till något annat',
        technical_issues: 'Det fungerar inte bra för mig',
        other: 'Något annat',
      },
    },
    ja: {
      title: '解約の理由をお聞かせください',
      options: {
        too_expensive: '料金が高い',
        missing_features: '必要な機能がない',
        not_using: 'あまり使っていない',
        switching: '他のサービスに乗り換える',
        technical_issues: 'うまく動作しない',
        other: 'その他',
      },
    },
    'zh-Hans': {
      title: '您为什么要离开？',
      options: {
        too_expensive: '价格太高',
        missing_features: '缺少我需要的功能',
        not_using: '我用得不多',
        switching: '我要换用其他产品',
        technical_issues: '在我这里运行不好',
        other: '其他原因',
      },
    },
    he: {
      title: 'מה הסיבה לעזיבה?',
      options: {
        too_expensive: 'יקר מדי',
        missing_features: 'חסר משהו שנחוץ לי',
        not_using: 'השימוש שלי מועט מדי',
        switching: 'מעבר למשהו אחר',
        technical_issues: 'זה לא עובד טוב אצלי',
        other: 'סיבה אחרת',
      },
    },
  } satisfies Words<{ title: string; options: Record<string, string> }>,

  confirm: {
    en: { title: 'Cancel your subscription?' },
    de: { title: 'Möchten Sie Ihr Abo kündigen?' },
    fr: { title: 'Résilier votre abonnement\u00a0?' },
    es: { title: '¿Cancelar su suscripción?' },
    pt: { title: 'Cancelar a sua assinatura?' },
    it: { title: 'Disdire il suo abbonamento?' },
    nl: { title: 'Uw abonnement opzeggen?' },
    pl: { title: 'Anulować subskrypcję?' },
    sv: { title: 'Vill du avsluta din prenumeration?' },
    ja: { title: '解約しますか？' },
    'zh-Hans': { title: '要取消订阅吗？' },
    he: { title: 'לבטל את המינוי?' },
  } satisfies Words<{ title: string }>,
};
