(** * Tables near a matching: only hooks have AB > MP

    Theorem ([only_hooks_near]).  Let a table have n objects, m = n - best > 0 of them off a best matching,
    n >= (m + 4)^2, and some pair of objects together in a cell.  With A, B, P, M the pairs of objects together in a
    row, in a column, in a cell, and all: if AB > MP then all objects lie in one row and one column, which meet in the
    best matching, a single cell, and each hold other objects.

    Proof.  [row_pairs_near]: A and B are at most P + mw + C(m,2), w the largest cell, so w >= n - 4m - 2
    ([largest_cell_nat]), more than half of n.  [best_le_off]: a best matching is this cell and objects off its row
    and column, d of them.  d > 0 makes (2A)(2B) at most n(n-1) w(w-1) ([off_cross_nat]).  If the row or the column of
    w were otherwise empty, A or B would be P. *)

From mathcomp Require Import all_ssreflect fingroup perm zify.
From Confmat Require Import Arithmetic Tables ArdGivenMedIntegers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ------------------------------------------------------------------ *)
(** ** Sums over a table *)

Lemma sum_sqr_le (I : finType) (Q : pred I) (F : I -> nat) : \sum_(i | Q i) F i ^ 2 <= (\sum_(i | Q i) F i) ^ 2.
Proof. by elim/big_rec2: _ => // i a b _; nia. Qed.

Lemma sum_pairs_le (I : finType) (Q : pred I) (F : I -> nat) : 2 * (\sum_(i | Q i) 'C(F i, 2)) <= (\sum_(i | Q i) F i) * ((\sum_(i | Q i) F i) - 1).
Proof.
elim/big_rec2: _ => // i a b _ IH; have := double_bin2 (F i); nia.
Qed.

Section Near.
Variables (r s : nat).
Implicit Type x : table r s.

(* a cell is part of all cells *)
Lemma pairs_le_cell x i j : x i j * (x i j - 1) <= 2 * cell_pairs x.
Proof.
have h : 'C(x i j, 2) <= cell_pairs x.
  by rewrite /cell_pairs (bigD1 i) //= (bigD1 j) //= -addnA leq_addr.
by have := double_bin2 (x i j); nia.
Qed.

(* cells of at most w objects *)
Lemma cell_pairs_le_max x w : (forall i j, x i j <= w) -> 2 * cell_pairs x <= (w - 1) * total x.
Proof.
move=> xw; rewrite /cell_pairs /total !big_distrr /=; apply: leq_sum => i _.
rewrite !big_distrr /=; apply: leq_sum => j _.
by have := double_bin2 (x i j); have := xw i j; nia.
Qed.

(* pairs in rows, where all but m objects are on a matching f *)
Lemma row_pairs_near x (f : 'I_r -> 'I_s) w m : (forall i j, x i j <= w) -> \sum_i x i (f i) + m = total x ->
  2 * row_pairs x <= 2 * cell_pairs x + 2 * m * w + m * (m - 1).
Proof.
move=> xw e; pose g i := row_sum x i - x i (f i).
have gE i : row_sum x i = x i (f i) + g i by rewrite /g subnKC // entry_le_row.
have em : \sum_i g i = m.
  have : \sum_i x i (f i) + \sum_i g i = total x.
    by rewrite total_rows -big_split /=; apply: eq_bigr => i _; rewrite [RHS]gE.
  by rewrite -e => /addnI.
have h1 : \sum_i 'C(x i (f i), 2) <= cell_pairs x.
  by apply: leq_sum => i _; rewrite (bigD1 (f i)) //= leq_addr.
have h2 : 2 * (\sum_i 'C(g i, 2)) <= m * (m - 1) by rewrite -em; apply: (sum_pairs_le xpredT).
have h3 : row_pairs x <= \sum_i 'C(x i (f i), 2) + (\sum_i g i * w + \sum_i 'C(g i, 2)).
  rewrite -!big_split /=; apply: leq_sum => i _.
  have := double_bin2 (row_sum x i); have := double_bin2 (g i); have := double_bin2 (x i (f i)).
  by have := xw i (f i); rewrite gE; nia.
have h4 : \sum_i g i * w = m * w by rewrite -big_distrl /= em.
by nia.
Qed.

(* pairs in rows, where one row holds all but be + d objects *)
Lemma row_pairs_cross x i0 be d : row_sum x i0 + (be + d) = total x ->
  2 * row_pairs x <= row_sum x i0 * (row_sum x i0 - 1) + (be + d) ^ 2.
Proof.
move=> e; have e' : \sum_(i | i != i0) row_sum x i = be + d.
  by apply: (@addnI (row_sum x i0)); rewrite e total_rows [in RHS](bigD1 i0).
rewrite /row_pairs (bigD1 i0) //= mulnDr; apply: leq_add.
  by have := double_bin2 (row_sum x i0); nia.
by apply: leq_trans (sum_pairs_le _ _) _; rewrite e'; nia.
Qed.
End Near.

(* the same for columns: the matching is read from the columns *)
Lemma col_pairs_near r s (x : table r s) (f : 'I_r -> 'I_s) w m : injective f -> (forall i j, x i j <= w) ->
  \sum_i x i (f i) + m = total x -> 2 * col_pairs x <= 2 * cell_pairs x + 2 * m * w + m * (m - 1).
Proof.
move=> fI xw e; pose y j := \sum_(i | f i == j) x i j; pose g j := col_sum x j - y j.
have yle j : y j <= col_sum x j by rewrite /y /col_sum [X in _ <= X](bigID (fun i => f i == j)) /= leq_addr.
have gE j : col_sum x j = y j + g j by rewrite /g subnKC.
have yone j : y j <= w /\ 'C(y j, 2) <= \sum_i 'C(x i j, 2).
  rewrite /y; case: (pickP (fun i => f i == j)) => [i0 /eqP i0j|none].
    rewrite (big_pred1 i0) => [|i]; last first.
      by apply/eqP/eqP => [h|->//]; apply: fI; rewrite h i0j.
    by split; [exact: xw | rewrite (bigD1 i0) //= leq_addr].
  by rewrite big_pred0 // bin0n /=.
have ey : \sum_j y j = \sum_i x i (f i).
  rewrite /y (exchange_big_dep xpredT) //=; apply: eq_bigr => i _.
  by rewrite (big_pred1 (f i)) // => j; rewrite eq_sym.
have em : \sum_j g j = m.
  have : \sum_j y j + \sum_j g j = total x.
    by rewrite total_cols -big_split /=; apply: eq_bigr => j _; rewrite [RHS]gE.
  by rewrite ey -e => /addnI.
have h1 : \sum_j 'C(y j, 2) <= cell_pairs x.
  by rewrite /cell_pairs exchange_big /=; apply: leq_sum => j _; case: (yone j).
have h2 : 2 * (\sum_j 'C(g j, 2)) <= m * (m - 1) by rewrite -em; apply: (sum_pairs_le xpredT).
have h3 : col_pairs x <= \sum_j 'C(y j, 2) + (\sum_j g j * w + \sum_j 'C(g j, 2)).
  rewrite -!big_split /=; apply: leq_sum => j _.
  have := double_bin2 (col_sum x j); have := double_bin2 (g j); have := double_bin2 (y j).
  by have [a _] := yone j; rewrite gE; nia.
have h4 : \sum_j g j * w = m * w by rewrite -big_distrl /= em.
by nia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The largest cell and what is off its row and column *)

Lemma double_bin2' t : 2 * 'C(t, 2) = t * (t - 1).
Proof. by have := double_bin2 t; case: t => [|t]; rewrite ?subn1 /= -?mulnn; lia. Qed.
Lemma aux_big n m w : (m + 4) * (m + 4) <= n -> n <= w + 4 * m + 2 -> n < 2 * w. Proof. lia. Qed.
Lemma aux_few n m w al be d : n <= w + 4 * m + 2 -> n = w + al + be + d -> al + be + d <= 4 * m + 2. Proof. lia. Qed.
Lemma aux_total n w ra cb al be d : n + w = ra + cb + d -> ra = w + al -> cb = w + be -> n = w + al + be + d. Proof. lia. Qed.
Lemma aux_S n b m w al be d : b <= n -> m = n - b -> b <= w + d -> n = w + al + be + d -> al + be <= m. Proof. lia. Qed.
Lemma aux_r n w al be d : n = w + al + be + d -> w + al + (be + d) = n. Proof. lia. Qed.
Lemma aux_c n w al be d : n = w + al + be + d -> w + be + (al + d) = n. Proof. lia. Qed.
Lemma aux_four M P A B : M * P < A * B -> 2 * M * (2 * P) < 2 * A * (2 * B). Proof. lia. Qed.

Section Main.
Variables (r s : nat) (x : table r s).
Hypothesis rs : r <= s.

Definition off i0 j0 := \sum_(i | i != i0) \sum_(j | j != j0) x i j.

Lemma total_cross i0 j0 : total x + x i0 j0 = row_sum x i0 + col_sum x j0 + off i0 j0.
Proof.
have e1 : total x = row_sum x i0 + (\sum_(i | i != i0) x i j0 + off i0 j0).
  rewrite /total (bigD1 i0) //= -/(row_sum x i0); congr (_ + _).
  by rewrite /off -big_split /=; apply: eq_bigr => i _; rewrite (bigD1 j0).
have e2 : col_sum x j0 = x i0 j0 + \sum_(i | i != i0) x i j0 by rewrite /col_sum (bigD1 i0).
by rewrite e1 e2; lia.
Qed.

Lemma best_ge_cell i0 j0 : x i0 j0 <= best x.
Proof.
have [f fI _] := best_attained x rs.
pose g i := tperm (f i0) j0 (f i).
have gI : injective g by move=> i i' /perm_inj /fI.
apply: leq_trans (best_ge x gI); rewrite (bigD1 i0) //= /g tpermL leq_addr //.
Qed.

Lemma best_le_off i0 j0 : total x < 2 * x i0 j0 -> best x <= x i0 j0 + off i0 j0.
Proof.
move=> big; have [f fI fe] := best_attained x rs; have bc := best_ge_cell i0 j0.
have e1 : \sum_i x i (f i) = x i0 (f i0) + \sum_(i | i != i0) x i (f i) by rewrite (bigD1 i0).
have e2 : total x = row_sum x i0 + \sum_(i | i != i0) \sum_j x i j by rewrite /total (bigD1 i0).
case: (eqVneq (f i0) j0) => [e0|ne].
  have h : \sum_(i | i != i0) x i (f i) <= off i0 j0.
    apply: leq_sum => i ni; rewrite (bigD1 (f i)) ?leq_addr //.
    by rewrite -e0 (inj_eq fI).
  by rewrite -fe e1 e0 leq_add2l.
have h1 : x i0 (f i0) + x i0 j0 <= row_sum x i0.
  by rewrite /row_sum (bigD1 (f i0)) //= leq_add2l (bigD1 j0) ?leq_addr // eq_sym.
have h2 : \sum_(i | i != i0) x i (f i) <= \sum_(i | i != i0) \sum_j x i j.
  by apply: leq_sum => i _; rewrite (bigD1 (f i)) //= leq_addr.
move: fe big bc e1 e2 h1 h2; move: (\sum_i x i (f i)) (\sum_(i | i != i0) x i (f i)) (\sum_(i | i != i0) \sum_j x i j) => a b c.
lia.
Qed.

Lemma col_pairs_cross j0 be d : col_sum x j0 + (be + d) = total x ->
  2 * col_pairs x <= col_sum x j0 * (col_sum x j0 - 1) + (be + d) ^ 2.
Proof. by rewrite -total_transpose => h; exact: (@row_pairs_cross _ _ (transpose x) j0 be d). Qed.

Lemma row_pairs_column j0 : (forall i j, j != j0 -> x i j = 0) -> row_pairs x <= cell_pairs x.
Proof.
move=> z; apply: leq_sum => i _.
have -> : row_sum x i = x i j0.
  by rewrite /row_sum (bigD1 j0) //= big1 ?addn0 // => j nj; exact: z.
by rewrite (bigD1 j0) //= leq_addr.
Qed.

Lemma col_pairs_row i0 : (forall i j, i != i0 -> x i j = 0) -> col_pairs x <= cell_pairs x.
Proof.
move=> z; rewrite /cell_pairs exchange_big; apply: leq_sum => j _ /=.
have -> : col_sum x j = x i0 j.
  by rewrite /col_sum (bigD1 i0) //= big1 ?addn0 // => i ni; exact: z.
by rewrite (bigD1 i0) //= leq_addr.
Qed.

(** With m = total - best >= 1 and total >= (m+4)^2, AB > MP only at hooks with corner best, arm and leg not empty. *)
Theorem only_hooks_near (m := total x - best x) : 0 < m -> (m + 4) * (m + 4) <= total x -> 0 < cell_pairs x ->
  all_pairs x * cell_pairs x < row_pairs x * col_pairs x ->
  exists i0 j0, [/\ x i0 j0 = best x, forall i j, i != i0 -> j != j0 -> x i j = 0,
    x i0 j0 < row_sum x i0 & x i0 j0 < col_sum x j0].
Proof.
have mE : m = total x - best x by []. clearbody m.
move=> m0 hn P0 gt.
have [u0 u0P|none] := pickP (fun u : 'I_r * 'I_s => 1 < x u.1 u.2); last first.
  suff e : cell_pairs x = 0 by rewrite e in P0.
  by rewrite /cell_pairs big1 // => i _; rewrite big1 // => j _; apply/bin_small; have /negbT := none (i, j); rewrite -leqNgt.
have [[i0 j0] _ /= top] := @arg_maxnP _ u0 xpredT (fun u => x u.1 u.2) isT.
have xw i j : x i j <= x i0 j0 by exact: (top (i, j)).
have w2 : 2 <= x i0 j0 by exact: leq_trans u0P (xw _ _).
have [f fI fe] := best_attained x rs.
have bt := best_le_total x.
have em : \sum_i x i (f i) + m = total x by rewrite fe mE subnKC.
have hA := row_pairs_near xw em. have hB := col_pairs_near fI xw em.
have hP := cell_pairs_le_max xw. have hw := pairs_le_cell x i0 j0.
have tt : 2 * all_pairs x = total x * (total x - 1) by exact: double_bin2'.
have gt4 : total x * (total x - 1) * (2 * cell_pairs x) < (2 * row_pairs x) * (2 * col_pairs x).
  by rewrite -tt; exact: aux_four.
have big := largest_cell_nat hn w2 hw hP hA hB gt4.
have big2 := aux_big hn big.
have bo := best_le_off big2. have bc := best_ge_cell i0 j0. have tc := total_cross i0 j0.
have ra : row_sum x i0 = x i0 j0 + (row_sum x i0 - x i0 j0) by rewrite subnKC // entry_le_row.
have cb : col_sum x j0 = x i0 j0 + (col_sum x j0 - x i0 j0) by rewrite subnKC // entry_le_col.
move: (row_sum x i0 - x i0 j0) (col_sum x j0 - x i0 j0) ra cb => al be ra cb.
have tn := aux_total tc ra cb. have S := aux_S bt mE bo tn.
have d0 : off i0 j0 = 0.
  apply/eqP; rewrite -leqn0 leqNgt; apply/negP => d1.
  have k1 := off_cross_nat m0 hn tn S d1 (aux_few big tn).
  have r1 := @row_pairs_cross _ _ x i0 be (off i0 j0). rewrite ra in r1. have {}r1 := r1 (aux_r tn).
  have c1 := @col_pairs_cross j0 al (off i0 j0). rewrite cb in c1. have {}c1 := c1 (aux_c tn).
  have k2 := leq_mul r1 c1.
  have k3 : total x * (total x - 1) * (x i0 j0 * (x i0 j0 - 1)) <= total x * (total x - 1) * (2 * cell_pairs x) by rewrite leq_mul2l hw orbT.
  have k4 := leq_trans k2 (leq_trans k1 k3).
  by move: gt4; rewrite ltnNge k4.
rewrite d0 addn0 in bo.
have bw : best x = x i0 j0 by apply/eqP; rewrite eqn_leq bo bc.
have z i j : i != i0 -> j != j0 -> x i j = 0.
  move=> ni nj; apply/eqP; rewrite -leqn0 -d0 /off (bigD1 i) //= (bigD1 j) //= -addnA leq_addr //.
exists i0, j0; split => //.
- rewrite ra; case: (posnP al) => [a0|a1]; last by rewrite -[X in X < _]addn0 ltn_add2l.
  have c1 : row_pairs x <= cell_pairs x.
    apply: (@row_pairs_column j0) => i j nj; case: (eqVneq i i0) => [->|ni]; last exact: z.
    have : x i0 j0 + \sum_(j | j != j0) x i0 j = x i0 j0 + 0 by rewrite -[in RHS]a0 -ra /row_sum [in RHS](bigD1 j0).
    by move/addnI; rewrite (bigD1 j) //= => /eqP; rewrite addn_eq0 => /andP [/eqP].
  by move: gt; rewrite ltnNge [all_pairs x * _]mulnC leq_mul // col_pairs_le.
- rewrite cb; case: (posnP be) => [b0|b1]; last by rewrite -[X in X < _]addn0 ltn_add2l.
  have c1 : col_pairs x <= cell_pairs x.
    apply: (@col_pairs_row i0) => i j ni; case: (eqVneq j j0) => [->|nj]; last exact: z.
    have : x i0 j0 + \sum_(i | i != i0) x i j0 = x i0 j0 + 0 by rewrite -[in RHS]b0 -cb /col_sum [in RHS](bigD1 i0).
    by move/addnI; rewrite (bigD1 i) //= => /eqP; rewrite addn_eq0 => /andP [/eqP].
  by move: gt; rewrite ltnNge leq_mul // row_pairs_le.
Qed.
End Main.
