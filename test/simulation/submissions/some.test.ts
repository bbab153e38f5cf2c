import { showsSubmissions } from './shows-submissions.ts';

showsSubmissions(300, 1);
