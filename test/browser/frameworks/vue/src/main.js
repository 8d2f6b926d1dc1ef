import { createApp, h } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';
import Account from './Account.vue';
import App from './App.vue';
import Element from './Element.vue';

const page = (title) => ({ render: () => h('h1', title) });

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: page('Home') },
    { path: '/account', component: Account },
    { path: '/account/cancel', component: page('Cancel page') },
    { path: '/element', component: Element },
  ],
});
createApp(App).use(router).mount('#app');
document.documentElement.dataset.ready = '';
