(** * The mean Rand distance of random labelings with given margins

    Fix two labelings f and g of n objects and permute the objects of g at random: g o sigma with sigma
    uniform among the n! permutations.  The margins of the table do not change.  Let
      T = sum of n_ij (n_ij - 1)      Pa = sum of a_i (a_i - 1)      Qb = sum of b_j (b_j - 1).
    T counts the ordered pairs of distinct objects that both labelings put together; Pa and Qb count
    those that f, g put together.  Then n(n-1) sum_sigma T = n! Pa Qb, so E[T] = Pa Qb / (n(n-1)), and
    the mean of RD is the E that the adjusted Rand index divides by. *)

From mathcomp Require Import all_ssreflect fingroup perm all_algebra zify.
From Confmat Require Import Arithmetic Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ------------------------------------------------------------------ *)
(** ** Pairs of objects that a labeling puts together *)

Section Pairs.
Variable n : nat.

(* ordered pairs of distinct objects with the same label *)
Definition together (T : eqType) (h : 'I_n -> T) : nat :=
  \sum_(p < n) \sum_(q < n) ((p != q) && (h p == h q)).

Lemma together_labels (L : finType) (h : 'I_n -> L) :
  together h = \sum_(i : L) (\sum_(p < n) (h p == i)) * (\sum_(p < n) (h p == i)).-1.
Proof.
pose size i := \sum_(p < n) (h p == i).
have others p : \sum_(q < n) ((p != q) && (h p == h q)) = (size (h p)).-1.
  rewrite /size (bigD1 p) //= eqxx /= add0n [in RHS](bigD1 p) //= eqxx add1n /=.
  by apply: eq_bigr => q /negbTE qp; rewrite eq_sym qp eq_sym.
rewrite /together (eq_bigr _ (fun p _ => others p)).
rewrite (eq_bigr (fun p => \sum_(i : L) (h p == i) * (size i).-1)) => [|p _]; last first.
  by rewrite (sum_pick_sym (h p) (fun i => (size i).-1)).
by rewrite exchange_big; apply: eq_bigr => i _; rewrite -big_distrl.
Qed.
End Pairs.

(* ------------------------------------------------------------------ *)
(** ** The sum over all permutations *)

Section Permutations.
Variables (n r s : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_s).
Implicit Type sigma : {perm 'I_n}.

(* a permutation of the objects does not change the number of pairs together *)
Lemma together_perm (sigma : {perm 'I_n}) : together (g \o sigma) = together g.
Proof.
rewrite /together [RHS](reindex_inj (@perm_inj _ sigma)); apply: eq_bigr => p _.
rewrite [RHS](reindex_inj (@perm_inj _ sigma)); apply: eq_bigr => q _ /=.
by rewrite (inj_eq (@perm_inj _ sigma)).
Qed.

(* the number of permutations after which g puts p and q together ... *)
Definition joining (p q : 'I_n) : nat := \sum_(sigma : {perm 'I_n}) (g (sigma p) == g (sigma q)).

(* ... is the same for any two distinct objects: some permutation carries one pair to the other *)
Lemma joining_constant p q p' q' : p != q -> p' != q' -> joining p q = joining p' q'.
Proof.
move=> pq pq'.
have [tau [tp tq]] : exists tau : {perm 'I_n}, tau p = p' /\ tau q = q'.
  pose t1 : {perm 'I_n} := tperm p p'.
  have tp : t1 p = p' by apply: tpermL.
  have tq : t1 q != p' by rewrite -tp (inj_eq (@perm_inj _ _)) eq_sym.
  exists (t1 * tperm (t1 q) q')%g; rewrite !permM tp tpermL tpermD //.
  by rewrite eq_sym.
rewrite /joining [LHS](reindex_inj (mulgI tau)); apply: eq_bigr => sigma _.
by rewrite !permM tp tq.
Qed.

(* adding over all the ordered pairs of distinct objects *)
Lemma joining_total : \sum_(p < n) \sum_(q < n) (p != q) * joining p q = n`! * together g.
Proof.
have -> : n`! = \sum_(sigma : {perm 'I_n}) 1 by rewrite sum1_card card_Sn.
rewrite big_distrl /=.
rewrite (eq_bigr (fun p => \sum_(sigma : {perm 'I_n}) \sum_(q < n) ((p != q) && (g (sigma p) == g (sigma q))))).
  by rewrite exchange_big; apply: eq_bigr => sigma _; rewrite mul1n -(together_perm sigma).
move=> p _; rewrite exchange_big; apply: eq_bigr => q _.
by rewrite /joining big_distrr; apply: eq_bigr => sigma _ /=; case: (p != q); rewrite ?mul1n ?mul0n.
Qed.

Lemma joining_pair p q : p != q -> n * n.-1 * joining p q = n`! * together g.
Proof.
move=> pq; rewrite -joining_total.
rewrite (eq_bigr (fun p' => n.-1 * joining p q)) => [|p' _].
  by rewrite sum_nat_const card_ord mulnA.
rewrite (bigD1 p') //= eqxx mul0n add0n.
rewrite (eq_bigr (fun=> joining p q)) => [|q' h]; last first.
  by rewrite eq_sym h mul1n; apply: joining_constant; rewrite // eq_sym.
by rewrite sum_nat_const cardC1 card_ord.
Qed.

(* n(n-1) sum_sigma T = n! Pa Qb, in terms of pairs *)
Theorem together_both_sum :
  n * n.-1 * (\sum_(sigma : {perm 'I_n}) \sum_(p < n) \sum_(q < n)
                [&& p != q, f p == f q & g (sigma p) == g (sigma q)]) =
  n`! * (together f * together g).
Proof.
have -> : \sum_(sigma : {perm 'I_n}) \sum_(p < n) \sum_(q < n)
            [&& p != q, f p == f q & g (sigma p) == g (sigma q)] =
          \sum_(p < n) \sum_(q < n) ((p != q) && (f p == f q)) * joining p q.
  rewrite exchange_big; apply: eq_bigr => p _; rewrite exchange_big; apply: eq_bigr => q _.
  rewrite /joining big_distrr; apply: eq_bigr => sigma _ /=.
  by case: (p != q); case: (f p == f q); rewrite ?mul1n ?mul0n.
rewrite big_distrr [RHS]mulnCA [X in _ = X * _]/together big_distrl /=; apply: eq_bigr => p _.
rewrite big_distrr [RHS]big_distrl /=; apply: eq_bigr => q _.
case: (boolP (p != q)) => [pq|_] /=; last by rewrite !mul0n muln0.
by rewrite mulnCA joining_pair.
Qed.
End Permutations.

(* ------------------------------------------------------------------ *)
(** ** The same in terms of tables *)

Section Tables.
Variables (n r s : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_s).

Let x := contingency f g.
Let x_perm (sigma : {perm 'I_n}) := contingency f (g \o sigma).

(* T, Pa and Qb of a table *)
Definition cell_products (y : table r s) := \sum_(i < r) \sum_(j < s) y i j * (y i j).-1.
Definition row_products (y : table r s) := \sum_(i < r) row_sum y i * (row_sum y i).-1.
Definition col_products (y : table r s) := \sum_(j < s) col_sum y j * (col_sum y j).-1.

Lemma row_sum_perm sigma i : row_sum (x_perm sigma) i = row_sum x i.
Proof. by rewrite !contingency_row. Qed.

Lemma col_sum_perm sigma j : col_sum (x_perm sigma) j = col_sum x j.
Proof. by rewrite !contingency_col [RHS](reindex_inj (@perm_inj _ sigma)). Qed.

Lemma row_products_together : row_products x = together f.
Proof. by rewrite together_labels; apply: eq_bigr => i _; rewrite contingency_row. Qed.

Lemma col_products_together : col_products x = together g.
Proof. by rewrite together_labels; apply: eq_bigr => j _; rewrite contingency_col. Qed.

Lemma cell_products_together (h : 'I_n -> 'I_s) :
  cell_products (contingency f h) =
  \sum_(p < n) \sum_(q < n) [&& p != q, f p == f q & h p == h q].
Proof.
transitivity (together (fun p => (f p, h p))); last first.
  by apply: eq_bigr => p _; apply: eq_bigr => q _; rewrite xpair_eqE.
rewrite together_labels /cell_products pair_bigA /=; apply: eq_bigr => -[i j] _.
have -> // : contingency f h i j = \sum_(p < n) ((f p, h p) == (i, j)).
by apply: eq_bigr => p _; rewrite xpair_eqE.
Qed.

Theorem cell_products_sum :
  n * n.-1 * (\sum_(sigma : {perm 'I_n}) cell_products (x_perm sigma)) =
  n`! * (row_products x * col_products x).
Proof.
rewrite row_products_together col_products_together -together_both_sum; congr (_ * _).
by apply: eq_bigr => sigma _; rewrite cell_products_together.
Qed.

(* in pairs: M sum_sigma P = n! A B *)
Lemma product_bin2 m : m * m.-1 = 2 * 'C(m, 2).
Proof. by have := double_bin2 m; rewrite -mulnn; case: m => // m; rewrite mulnS /=; lia. Qed.

Lemma cell_pairs_sum :
  all_pairs x * (\sum_(sigma : {perm 'I_n}) cell_pairs (x_perm sigma)) =
  n`! * (row_pairs x * col_pairs x).
Proof.
have eP y : cell_products y = 2 * cell_pairs y.
  rewrite /cell_pairs big_distrr; apply: eq_bigr => i _; rewrite big_distrr.
  by apply: eq_bigr => j _; apply: product_bin2.
have eA : row_products x = 2 * row_pairs x.
  by rewrite /row_pairs big_distrr; apply: eq_bigr => i _; apply: product_bin2.
have eB : col_products x = 2 * col_pairs x.
  by rewrite /col_pairs big_distrr; apply: eq_bigr => j _; apply: product_bin2.
have := cell_products_sum; rewrite eA eB (eq_bigr _ (fun sigma _ => eP (x_perm sigma))) -big_distrr /=.
rewrite product_bin2 /all_pairs contingency_total.
move: (\sum_(sigma | _) _) (n`!) (row_pairs x) (col_pairs x) ('C(n, 2)) => P N A B M h.
by apply/eqP; rewrite -(eqn_pmul2l (isT : 0 < 4)); apply/eqP; move: h; clear; lia.
Qed.

Lemma row_pairs_perm sigma : row_pairs (x_perm sigma) = row_pairs x.
Proof. by apply: eq_bigr => i _; rewrite row_sum_perm. Qed.

Lemma col_pairs_perm sigma : col_pairs (x_perm sigma) = col_pairs x.
Proof. by apply: eq_bigr => j _; rewrite col_sum_perm. Qed.

Lemma all_pairs_perm sigma : all_pairs (x_perm sigma) = all_pairs x.
Proof. by rewrite /all_pairs !contingency_total. Qed.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma expected_RD_perm sigma : expected_RD (x_perm sigma) = expected_RD x.
Proof. by rewrite /expected_RD row_pairs_perm col_pairs_perm all_pairs_perm. Qed.

(* the mean of RD over the n! permutations is E *)
Theorem mean_RD : (1 < n)%N ->
  (\sum_(sigma : {perm 'I_n}) RD (x_perm sigma)) / n`!%:R = expected_RD x.
Proof.
move=> n1; pose P := (\sum_(sigma : {perm 'I_n}) cell_pairs (x_perm sigma))%N.
have M0 : (all_pairs x)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n /all_pairs contingency_total bin_gt0.
have N0 : n`!%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n fact_gt0.
have eP : (all_pairs x)%:R * P%:R = n`!%:R * ((row_pairs x)%:R * (col_pairs x)%:R) :> rat.
  by rewrite -!natrM cell_pairs_sum.
have -> : \sum_(sigma : {perm 'I_n}) RD (x_perm sigma) =
    (n`!%:R * ((row_pairs x)%:R + (col_pairs x)%:R) - P%:R *+ 2) / (all_pairs x)%:R.
  under eq_bigr do rewrite /RD row_pairs_perm col_pairs_perm all_pairs_perm.
  rewrite -big_distrl /= sumrB sumr_const card_Sn sumrMnl.
  have -> : P%:R = \sum_(sigma : {perm 'I_n}) (cell_pairs (x_perm sigma))%:R :> rat by apply: natr_sum.
  by rewrite [n`!%:R * _]mulr_natl.
rewrite /expected_RD; set A := (row_pairs x)%:R; set B := (col_pairs x)%:R.
move: M0 N0 eP; rewrite -/A -/B; set M := (all_pairs x)%:R; set N := n`!%:R.
move: A B M N P%:R => A B M N p M0 N0 eP.
apply: (mulfI (mulf_neq0 N0 (mulf_neq0 M0 M0))).
have -> : N * (M * M) * ((N * (A + B) - p *+ 2) / M / N) = M * (N * (A + B)) - (M * p) *+ 2.
  rewrite -[N * (M * M) * _]mulrC -!mulrA [N^-1 * _]mulrA mulVf // mul1r mulKf // mulrC mulrBr.
  by rewrite mulrnAr.
rewrite eP expr2 [N * _ * _]mulrC -mulrA [(M * M)^-1 * _]mulrC mulfK ?mulf_neq0 //.
rewrite mulrC -mulrnAr [M * (N * _)]mulrCA -mulrBr; congr (_ * _).
rewrite !mulrBr mulrDr [M * A]mulrC [M * B]mulrC [B * A]mulrC mulr2n opprD.
by rewrite addrACA.
Qed.

(* so the adjusted Rand distance has mean one, where it is defined *)
Theorem mean_ARD : (1 < n)%N -> expected_RD x != 0 ->
  (\sum_(sigma : {perm 'I_n}) ARD (x_perm sigma)) / n`!%:R = 1.
Proof.
move=> n1 E0; under eq_bigr do rewrite /ARD expected_RD_perm.
by rewrite -big_distrl /= mulrAC mean_RD // divff.
Qed.
End Tables.
