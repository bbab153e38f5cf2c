import { showsSubmissions } from './shows-submissions.ts';

showsSubmissions(100, 1);
